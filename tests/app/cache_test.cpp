// SPDX-License-Identifier: MIT
// Simulations in caches, from which any number of processes draw frames, and ranges of frames without a cache.
#include "tests/app/run_program.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>

namespace wisp::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// A jet around a cube that turns.
constexpr const char* kCachedScene = R"(
name = "jet"
[grid]
cells = [16, 24, 16]
size = [1.0, 1.5, 1.0]
[flow]
vorticity = 0.8
buoyancy = 0.02
[[emitter]]
centre = [0.5, 0.25, 0.5]
radius = 0.15
velocity = [0.0, 1.5, 0.0]
turbulence = 0.3
density = 1.0
temperature = 50.0
[[obstacle]]
shape = "mesh"
file = "models/cube.obj"
centre = [0.5, 0.8, 0.5]
scale = 0.2
angular_velocity = [0.0, 2.0, 0.0]
[[probe]]
file = "probe.csv"
at = [0.5, 0.5, 0.5]
[camera]
eye = [0.5, 0.75, 2.5]
target = [0.5, 0.75, 0.5]
[render]
size = [32, 48]
)";

constexpr const char* kCube = R"(
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
)";

const std::string kSim = "sim scene.toml --fps 30 --steps-per-frame 2 ";

class Cache : public testing::Test {
protected:
    void SetUp() override {
        std::ofstream(path("scene.toml")) << kCachedScene;
        fs::create_directory(path("models"));
        std::ofstream(path("models/cube.obj")) << kCube;
    }
    [[nodiscard]] fs::path path(const std::string& name) const { return scratch.path() / name; }
    Outcome shell(const std::string& command) { return runShell(command, scratch.path()); }
    Outcome wisp(const std::string& arguments) { return shell(WISP_BINARY " " + arguments); }
    std::string good(const std::string& arguments) {
        const Outcome o = wisp(arguments);
        EXPECT_EQ(o.status, 0) << arguments << "\n" << o.output << o.errors;
        return o.errors;
    }
    void expectRefused(const std::string& arguments, const std::string& why) {
        const Outcome o = wisp(arguments);
        EXPECT_EQ(o.status, 2) << arguments << "\n" << o.errors;
        EXPECT_THAT(o.errors, HasSubstr(why)) << arguments;
    }
    void expectSame(const std::string& a, const std::string& b, const std::vector<int>& frames) {
        for (const int n : frames) {
            const std::string name = std::to_string(10000 + n).substr(1) + ".png";
            const std::string wanted = readFile(path(a + "/" + name));
            EXPECT_FALSE(wanted.empty()) << a << "/" << name;
            EXPECT_TRUE(readFile(path(b + "/" + name)) == wanted) << b << "/" << name;
        }
    }
    [[nodiscard]] std::set<std::string> names(const std::string& folder) const {
        std::set<std::string> found;
        for (const auto& entry : fs::directory_iterator(path(folder))) found.insert(entry.path().filename().string());
        return found;
    }
    ScratchFolder scratch;
};

TEST_F(Cache, FramesAreThoseOfOneRunAndNeedNothingElse) {
    good("render scene.toml --fps 30 --steps-per-frame 2 --frames 1-12 --out whole");
    EXPECT_THAT(names("whole"), testing::SizeIs(12)) << "frame 0 has no picture";
    EXPECT_THAT(good(kSim + "--frames 1-12 --every 4 --cache first"), HasSubstr("first: 12 frames in")) << "frame 0 is not in the list";
    EXPECT_THAT(names("first/checkpoints"), ElementsAre("0001.wisp", "0005.wisp", "0009.wisp", "0013.wisp"));
    fs::rename(path("first"), path("cache"));
    fs::remove_all(path("models"));
    fs::remove(path("scene.toml"));
    fs::remove(path("probe.csv"));
    good("render --cache cache --frames 5-8 --out parts");
    EXPECT_THAT(names("parts"), ElementsAre("0005.png", "0006.png", "0007.png", "0008.png"));
    const auto written = fs::last_write_time(path("parts/0005.png"));
    EXPECT_THAT(good("render --cache cache --frames 2-12x3 --out parts"),
                AllOf(HasSubstr("parts: 1 frames in"), testing::Not(HasSubstr("parts: 2 frames in"))))
        << "frames 5 and 8 exist, and frame 11 goes on from a checkpoint that is nearer than frame 2";
    EXPECT_EQ(fs::last_write_time(path("parts/0005.png")), written) << "whole frames are skipped";
    expectSame("whole", "parts", {2, 5, 6, 7, 8, 11});
    EXPECT_THAT(names("parts"), testing::SizeIs(6));
    EXPECT_THAT(good("render --cache cache --frames 5-8 --out parts"), HasSubstr("exist already"));
    std::ofstream(path("parts/0005.png")) << "old";
    good("render --cache cache --out parts --frames 5-5 --overwrite");
    expectSame("whole", "parts", {5});
    EXPECT_FALSE(fs::exists(path("probe.csv"))) << "no process writes a part of a probe's file";
}

TEST_F(Cache, OnlyThePictureMayChange) {
    good(kSim + "--frames 4 --every 2 --cache cache");
    good("render --cache cache --frames 3-3 --out a" + kPlain);
    good("render scene.toml --cache cache --frames 3-3 --out b" + kPlain);
    expectSame("a", "b", {3});
    good("render --cache cache --frames 3-3 --out c --set camera.fov=20 --set obstacle[0].colour=[0.1,0.9,0.1]" + kPlain);
    EXPECT_NE(readFile(path("a/0003.png")), readFile(path("c/0003.png")));
    expectRefused("render --cache cache --out d --set flow.vorticity=0.5 --set grid.cells=[32,48,32]",
                  "flow.vorticity is 0.5, in the cache 0.8; grid.cells is [32, 48, 32], in the cache [16, 24, 16]");
    expectRefused("render scene.toml --cache cache --out d --quality high", "grid.cells is [24, 36, 24], in the cache [16, 24, 16]");
    expectRefused("render smoke --cache cache --out d", "is of another simulation");
    expectRefused("render --cache cache --out d --fps 25", "--fps is 25, in the cache 30");
    expectRefused("render --cache cache --out d --steps-per-frame 3", "--steps-per-frame is 3, in the cache 2");
    expectRefused("render --cache cache --out d --frames 2-4", "frame 4 is not in it: it has frames 0 to 3");
    expectRefused("render --cache cache --out d.mp4", "--cache: needs --out with the name of a folder or a pattern");
    expectRefused("render --cache cache", "--cache: needs --out");
    expectRefused("render --cache cache --out d --set render.temporal=true", "render.temporal");
    expectRefused("render --cache models --out d", "models: is no cache");
    expectRefused("render --cache cache --no-picture", "nothing else would be written");
    std::ofstream(path("models/other.obj")) << kCube;
    expectRefused("render --cache cache --out d --set 'obstacle[0].file=\"../models/other.obj\"'", "obstacle[0].file is \"");
    std::ofstream(path("models/cube.obj"), std::ios::app) << "v 2 2 2\n";
    expectRefused("render scene.toml --cache cache --out d", "obstacle[0].file has other contents");
    EXPECT_FALSE(fs::exists(path("d")));
}

TEST_F(Cache, AFileOfSeveralKeysIsCopiedOnce) {
    std::ofstream(path("scene.toml"), std::ios::app) << R"(
[[obstacle]]
shape = "mesh"
file = "models/cube.obj"
centre = [0.2, 1.2, 0.5]
scale = 0.1
)";
    good(kSim + "--frames 1 --quality preview --cache cache");
    EXPECT_THAT(names("cache/files"), testing::SizeIs(1));
    good("render scene.toml --cache cache --out a" + kPlain);
    EXPECT_THAT(names("a"), ElementsAre("0000.png")) << "SCENE has the quality of the cache";
}

TEST_F(Cache, ASimulationGoesOnWhereItStopped) {
    good(kSim + "--frames 9 --every 3 --cache whole --hash > hashes");
    // Killed when the second checkpoint is there: nothing is lost but the frames since.
    const Outcome killed = shell(WISP_BINARY " " + kSim +
                                 "--frames 9 --every 3 --cache cut & until [ -e cut/checkpoints/0003.wisp ]; do sleep 0.02; done; "
                                 "kill -9 $!; wait $!");
    EXPECT_EQ(killed.status, 137);
    expectRefused("render --cache cut --frames 8-8 --out a", "frame 8 needs 0006.wisp, which does not exist: the cache is cut short");
    good("render --cache cut --frames 2-2 --out a" + kPlain);
    const auto begun = fs::last_write_time(path("cut/checkpoints/0000.wisp"));
    std::ofstream(path("cut/checkpoints/.0006.wisp.tmp-1")) << "of a simulation that was killed long ago";
    fs::last_write_time(path("cut/checkpoints/.0006.wisp.tmp-1"), fs::file_time_type::clock::now() - std::chrono::hours(2));
    good(kSim + "--frames 9 --every 3 --cache cut --hash > hashes2");
    EXPECT_EQ(fs::last_write_time(path("cut/checkpoints/0000.wisp")), begun) << "it began again";
    for (const std::string& name : names("cut/checkpoints"))  // a new one may be that of a process of another machine
        if (name.starts_with(".")) fs::remove(path("cut/checkpoints/" + name));
    EXPECT_EQ(readFile(path("hashes2")), readFile(path("hashes")));
    EXPECT_EQ(names("cut/checkpoints"), names("whole/checkpoints"));
    EXPECT_THAT(good(kSim + "--frames 9 --every 3 --cache cut"), HasSubstr("has all frames up to 8 already"));
    good(kSim + "--frames 9 --every 3 --cache cut --hash > hashes3");
    EXPECT_EQ(readFile(path("hashes3")), readFile(path("hashes"))) << "a finished one has hashes, too";
    fs::remove(path("cut/checkpoints/0003.wisp"));
    expectRefused("render --cache cut --frames 4-4 --out b", "frame 4 needs 0003.wisp");
    good(kSim + "--frames 9 --every 3 --cache cut --volume 'v/%04d.nvdb'");
    EXPECT_EQ(names("cut/checkpoints"), names("whole/checkpoints")) << "it makes what is missing";
    EXPECT_THAT(names("v"), testing::SizeIs(9)) << "volumes of all frames, although the cache had them";
    const auto volume = fs::last_write_time(path("v/0001.nvdb"));
    fs::remove(path("v/0007.nvdb"));
    good(kSim + "--frames 9 --every 3 --cache cut --volume 'v/%04d.nvdb'");
    EXPECT_THAT(names("v"), testing::SizeIs(9));
    EXPECT_EQ(fs::last_write_time(path("v/0001.nvdb")), volume);
    good(kSim + "--frames 12 --every 3 --cache cut");
    EXPECT_TRUE(fs::exists(path("cut/checkpoints/0012.wisp"))) << "a longer one goes on, too";
    good("render --cache cut --frames 11-11 --out a" + kPlain);
    expectRefused(kSim + "--frames 9 --cache cut --set seed=5", "seed is 5, in the cache 1");
    expectRefused(kSim + "--frames 9 --cache cut --every 4", "--every is 4, in the cache 3");
    expectRefused(kSim + "--frames 2-9 --cache cut", "the cache begins at frame 0");
    expectRefused("sim nowhere.toml --cache new", "nowhere.toml");
    EXPECT_FALSE(fs::exists(path("new")));
}

TEST_F(Cache, IsReadAndWrittenByOneAtATime) {
    const std::string sim = WISP_BINARY " " + kSim + "--frames 400 --every 50 --cache busy ";
    const Outcome o = shell(sim + "& SIM=$!; until [ -e busy/checkpoints/0000.wisp ]; do sleep 0.02; done; " + sim +
                            "2> second; echo $? >> second; " WISP_BINARY
                            " render --cache busy --frames 390-390 --out a 2> reader; echo $? >> reader; kill -INT $SIM; wait $SIM");
    EXPECT_EQ(o.status, 130) << o.errors;
    EXPECT_THAT(readFile(path("second")), AllOf(HasSubstr("another process is writing this cache"), HasSubstr("\n2\n")));
    EXPECT_THAT(readFile(path("reader")), AllOf(HasSubstr("frame 390 needs 0350.wisp, which does not exist yet"), HasSubstr("\n2\n")));
    const std::set<std::string> kept = names("busy/checkpoints");
    EXPECT_TRUE(std::ranges::any_of(kept, [](const std::string& name) { return std::stoi(name) % 50 != 0; }))
        << "an interrupted simulation keeps its last frame: " << testing::PrintToString(kept);
}

TEST_F(Cache, DamageIsFound) {
    good(kSim + "--frames 2 --every 1 --cache cache");
    const std::string scene = readFile(path("cache/scene.toml")), manifest = readFile(path("cache/manifest.json"));
    std::ofstream(path("cache/scene.toml"), std::ios::app) << "\n";
    expectRefused("render --cache cache --out a", "scene.toml has changed");
    std::ofstream(path("cache/scene.toml")) << scene;
    std::ofstream(path("cache/manifest.json")) << manifest.substr(0, manifest.size() / 2);
    expectRefused("render --cache cache --out a", "manifest.json cannot be used");
    nlohmann::json other = nlohmann::json::parse(manifest);
    other["driver"] = "another one";
    std::ofstream(path("cache/manifest.json")) << other.dump();
    EXPECT_THAT(good("render --cache cache --frames 0-0 --out a" + kPlain),
                AllOf(HasSubstr("(another one), this is"), HasSubstr("pictures may differ")));
    EXPECT_THAT(good(kSim + "--frames 2 --every 1 --cache cache"), HasSubstr("(another one), this is"));
    other["every"] = 0;
    std::ofstream(path("cache/manifest.json")) << other.dump();
    expectRefused("render --cache cache --out a", "not above 0");
    std::ofstream(path("cache/manifest.json")) << manifest;
    fs::copy_file(path("cache/checkpoints/0002.wisp"), path("cache/checkpoints/0001.wisp"), fs::copy_options::overwrite_existing);
    expectRefused("render --cache cache --frames 1-1 --out b", "0001.wisp is the state before frame 2");
    good(kSim + "--frames 2 --every 1 --cache other --set flow.vorticity=0.1");
    fs::copy_file(path("other/checkpoints/0001.wisp"), path("cache/checkpoints/0001.wisp"), fs::copy_options::overwrite_existing);
    expectRefused("render --cache cache --frames 1-1 --out b", "0001.wisp is of another simulation: flow.vorticity is 0.1");
    good("sim scene.toml --fps 30 --steps-per-frame 1 --frames 2 --every 1 --cache other2");
    fs::copy_file(path("other2/checkpoints/0001.wisp"), path("cache/checkpoints/0001.wisp"), fs::copy_options::overwrite_existing);
    expectRefused("render --cache cache --frames 1-1 --out b", "0001.wisp has 1 steps, but before frame 1 there are 2");
    fs::resize_file(path("cache/checkpoints/0001.wisp"), 1000);
    expectRefused("render --cache cache --frames 1-1 --out b", "cache/checkpoints/0001.wisp: ");
    fs::remove(path("other/manifest.json"));
    expectRefused(kSim + "--frames 2 --every 1 --cache other", "other: has checkpoints, but no manifest.json");
}

TEST_F(Cache, ProcessesShareAFolderAndMayBeKilled) {
    good(kSim + "--frames 40 --every 40 --cache cache");
    good("render --cache cache --out whole" + kPlain);
    const std::string draw = WISP_BINARY " render --cache cache --out shared --log-level quiet" + kPlain;
    // Two draw the same frames, one of them is killed in the middle. What is there then is whole.
    const Outcome o = shell(draw + "& FIRST=$!; " + draw +
                            "& until [ -e shared/0005.png ]; do sleep 0.01; done; kill -9 $FIRST; wait $FIRST; "
                            "ls shared > then; wait %2");
    EXPECT_EQ(o.status, 0) << o.errors;
    const std::string then = readFile(path("then"));
    EXPECT_THAT(then, testing::Not(HasSubstr("0039.png"))) << "it was killed too late to say anything";
    std::vector<int> all(40);
    for (int n = 0; n < 40; ++n) all[static_cast<std::size_t>(n)] = n;
    expectSame("whole", "shared", all);
    // A file of a writer that was killed long ago is removed, a new one may be in use.
    std::ofstream(path("shared/.0003.png.tmp-1")) << "old";
    fs::last_write_time(path("shared/.0003.png.tmp-1"), fs::file_time_type::clock::now() - std::chrono::hours(2));
    std::ofstream(path("shared/.0004.png.tmp-1")) << "new";
    fs::remove(path("shared/0004.png"));
    EXPECT_EQ(shell(draw).status, 0);
    EXPECT_FALSE(fs::exists(path("shared/.0003.png.tmp-1")));
    EXPECT_TRUE(fs::exists(path("shared/.0004.png.tmp-1")));
    expectSame("whole", "shared", {4});
}

TEST_F(Cache, RangesNeedNoCache) {
    const std::string render = "render scene.toml --fps 30 --steps-per-frame 2 --log-level quiet" + kPlain;
    good(render + "--frames 8 --out all");
    good(render + "--frames 5,1-4x3 --out some --volume 'v/%03d.nvdb'");
    EXPECT_THAT(names("some"), ElementsAre("0001.png", "0004.png", "0005.png"));
    EXPECT_THAT(names("v"), ElementsAre("001.nvdb", "004.nvdb", "005.nvdb"));
    expectSame("all", "some", {1, 4, 5});
    expectRefused(render + "--frames 4-6 --out some", "some/0004.png: exists already");
    good(render + "--frames 4 --no-picture --checkpoint c.wisp");
    fs::remove(path("probe.csv"));
    good(render + "--frames 6-7 --resume c.wisp --out late");
    expectSame("all", "late", {6, 7});
    fs::remove(path("probe.csv"));
    expectRefused(render + "--frames 3-7 --resume c.wisp --out late", "frame 3 has no file, and is before the checkpoint c.wisp");
    good(render + "--frames 3,7 --resume c.wisp --out all");
    fs::remove(path("probe.csv"));
    expectRefused(render + "--frames 7-3", "7-3 is reversed");
    expectRefused(render + "--frames ''", "a number is missing");
    expectRefused(render + "--frames 1-4,4", "4 is twice");
    good(render + "--frames 3-3 --out one.png");
    EXPECT_EQ(readFile(path("one.png")), readFile(path("all/0003.png")));
}

}  // namespace
}  // namespace wisp::test
