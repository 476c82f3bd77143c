// SPDX-License-Identifier: MIT
// Members of a wedge: their scenes and the paths of their files.
#include "app/wedge/members.h"

#include "app/base/scene_values.h"
#include "files/base/failure.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <fstream>

namespace wisp::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

WedgeOptions optionsOf(std::vector<std::string> setEach, const std::filesystem::path& out = {}) {
    WedgeOptions options{.setEach = std::move(setEach)};
    options.render.out = out;
    return options;
}

template <class F>
std::string refusal(F&& f) {
    try {
        f();
    } catch (const Failure& e) {
        EXPECT_EQ(e.status(), Exit::Usage);
        return e.what();
    }
    return "accepted";
}

std::string refused(const WedgeOptions& options) {
    return refusal([&] { const Members members(options); });
}

TEST(WedgeMembers, HaveTheValuesOfTheirScene) {
    const WedgeOptions options = optionsOf({"flow.vorticity=0.25,0.5", "pressure.iterations=1:4:4", "pressure.solver=multigrid,mgpcg"});
    const Members members(options);
    ASSERT_EQ(members.size(), 16u);
    WedgeMember member = members.at(13);  // 1 * 8 + 2 * 2 + 1
    const Scene scene = members.start(member).scene;
    EXPECT_EQ(valueOf<double>(scene, "flow.vorticity"), 0.5);
    EXPECT_EQ(valueOf<int>(scene, "pressure.iterations"), 3);
    EXPECT_EQ(valueOf<std::string>(scene, "pressure.solver"), "mgpcg");
    EXPECT_EQ(members.nameOf(member), "member 13 (flow.vorticity=0.5, pressure.iterations=3, pressure.solver=mgpcg)");
    EXPECT_EQ(members.valuesJson(member.values).dump(), R"({"flow.vorticity":0.5,"pressure.iterations":3,"pressure.solver":"mgpcg"})");
}

TEST(WedgeMembers, HaveFilesOfTheirOwn) {
    const WedgeOptions options = optionsOf({"flow.vorticity=0.2,0.4", "flow.gravity=[0, -1, 0],[0, -2, 0]"});
    const Members members(options);
    EXPECT_EQ(members.folder(), "smoke_wedge");
    EXPECT_EQ(members.at(3).options.out, "smoke_wedge/0003.mp4");
    EXPECT_EQ(members.resultFile(3), "smoke_wedge/0003.json");

    WedgeOptions named = optionsOf({"flow.vorticity=0.2,0.4", "flow.gravity=[0, -1, 0],[0, -2, 0]"}, "{index}/%04d.png");
    named.results = "r";
    RenderOptions& render = named.render;
    render.volume = "v{flow.vorticity}/g{flow.gravity}_%04d.nvdb";
    render.stats = "{index}.jsonl";
    render.checkpoint = "{index}.checkpoint";
    render.sceneOut = "{index}.glb";
    render.trace = "{index}.trace";
    const RenderOptions own = Members(named).at(2).options;
    EXPECT_EQ(own.out, "0002/%04d.png");
    EXPECT_EQ(own.volume, "v0.4/g0_-1_0_%04d.nvdb");
    EXPECT_EQ(own.stats, "0002.jsonl");
    EXPECT_EQ(own.checkpoint, "0002.checkpoint");
    EXPECT_EQ(own.sceneOut, "0002.glb");
    EXPECT_EQ(own.trace, "0002.trace");
}

TEST(WedgeMembers, PathsOfTwoMembersMustDiffer) {
    EXPECT_THAT(refused(optionsOf({"seed=1,2"}, "a.mp4")), AllOf(HasSubstr("--out a.mp4"), HasSubstr("{index} or {seed}")));
    EXPECT_THAT(refused(optionsOf({"seed=1,2", "flow.vorticity=1,2"}, "{seed}.mp4")), HasSubstr("member 1 would write the same file"));
    EXPECT_EQ(refused(optionsOf({"seed=1,2", "flow.vorticity=1,2"}, "{seed}_{flow.vorticity}.mp4")), "accepted");
    // Two values that are one file name.
    EXPECT_THAT(refused(optionsOf({"flow.gravity=[1, 0, 0],[1; 0; 0]"}, "{flow.gravity}.mp4")), HasSubstr("the same file"));
    for (std::filesystem::path RenderOptions::*path :
         {&RenderOptions::volume, &RenderOptions::stats, &RenderOptions::checkpoint, &RenderOptions::sceneOut, &RenderOptions::trace}) {
        WedgeOptions options = optionsOf({"seed=1,2"});
        options.render.*path = "same.nvdb";
        EXPECT_THAT(refused(options), HasSubstr("same.nvdb: member 1 would write the same file as member 0"));
    }
    WedgeOptions device = optionsOf({"seed=1,2"});
    device.render.stats = "/dev/null";
    EXPECT_EQ(refused(device), "accepted");
    // Other outputs, and the files of the results.
    WedgeOptions both = optionsOf({"seed=1,2"}, "x/../{index}.png");
    both.render.trace = "{index}.png";
    EXPECT_THAT(refused(both), HasSubstr("--trace 0000.png"));
    EXPECT_THAT(refused(optionsOf({"seed=1,2"}, "smoke_wedge/{index}.thumbnail.png")), HasSubstr("the same file"));
    WedgeOptions sheet = optionsOf({"name=sheet,wedge"}, "r/{name}.png");
    sheet.results = "r";
    EXPECT_THAT(refused(sheet), AllOf(HasSubstr("--out r/sheet.png"), HasSubstr("also a file of --results")));
}

TEST(WedgeMembers, UnknownNamesInPathsAreRefused) {
    for (const char* out : {"{vorticity}.mp4", "{index.mp4", "{}.mp4", "{Index}.mp4"})
        EXPECT_THAT(refused(optionsOf({"flow.vorticity=1,2"}, out)),
                    AllOf(HasSubstr(out), HasSubstr("allowed: {index}, {flow.vorticity}")));
}

TEST(WedgeMembers, AnInvalidSceneNamesTheMember) {
    const auto problem = [](std::vector<std::string> setEach, std::size_t index) {
        const WedgeOptions options = optionsOf(std::move(setEach));
        return refusal([&] {
            const Members members(options);
            WedgeMember member = members.at(index);
            (void)members.start(member);
        });
    };
    EXPECT_EQ(problem({"flow.vorticity=1,2"}, 1), "accepted");
    EXPECT_THAT(problem({"flow.vorticity=1,-2"}, 1),
                AllOf(HasSubstr("member 1 (flow.vorticity=-2)"), HasSubstr("--set-each flow.vorticity=-2")));
    EXPECT_THAT(problem({"pressure.iterations=1:4:3"}, 1), HasSubstr("member 1 (pressure.iterations=2.5)"));  // no whole number
    EXPECT_THAT(problem({"flow.vortex=1,2"}, 0), AllOf(HasSubstr("member 0"), HasSubstr("flow.vortex")));
    EXPECT_THAT(problem({"pressure.solver=multigrid,magic"}, 1), HasSubstr("pressure.solver=magic"));
}

TEST(WedgeMembers, ProbesHaveFilesOfTheirOwn) {
    const test::ScratchFolder scratch;
    const auto sceneWith = [&](const std::string& file) {
        const std::filesystem::path path = scratch.path() / "probed.toml";
        std::ofstream(path) << "[[probe]]\nat = [0.5, 0.5, 0.5]\nfile = \"" << file << "\"\n";
        WedgeOptions options = optionsOf({"seed=1,2"});
        options.render.common.scene = path.string();
        return options;
    };
    EXPECT_THAT(refused(sceneWith("p.csv")), HasSubstr("probe[0].file p.csv: member 1 would write the same file"));
    const WedgeOptions options = sceneWith("p{seed}.csv");
    const Members members(options);
    WedgeMember second = members.at(1);
    EXPECT_EQ(valueOf<std::string>(members.start(second).scene, "probe[0].file"), "p2.csv");
    WedgeOptions own = sceneWith("p.csv");
    own.setEach = {"probe[0].file=\"a.csv\",\"b.csv\""};
    EXPECT_EQ(refused(own), "accepted");
    own.setEach = {"probe[0].file=\"a.csv\",\"b.csv\"", "seed=1,2"};
    EXPECT_THAT(refused(own), HasSubstr("probe[0].file a.csv: member 1 would write the same file"));
}

}  // namespace
}  // namespace wisp::app
