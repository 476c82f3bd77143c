// SPDX-License-Identifier: MIT
// wisp wedge, end to end.
#include "tests/app/run_program.h"
#include "tests/support/source_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace wisp::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kScene = " smoke --set grid.cells=[32,16,16] --size 64x36 --steps-per-frame 2 " + kPlain;
const std::string kFilm = kScene + " --frames 2 ";
const std::string kTwoKeys = " --set-each 'emitter[0].radius=0.1,0.2,0.15' --set-each pressure.iterations=1:2:2 ";

class Wedge : public testing::Test {
protected:
    Outcome wisp(const std::string& arguments, const std::string& before = "") {
        return runShell(before + " " WISP_BINARY " " + arguments, scratch.path());
    }
    static void expect(const Outcome& o, int status) { EXPECT_EQ(o.status, status) << o.output << o.errors; }
    [[nodiscard]] std::string read(const std::string& name) const { return readFile(scratch.path() / name); }
    [[nodiscard]] json readJson(const std::string& name) const { return json::parse(read(name)); }
    [[nodiscard]] bool exists(const std::string& name) const { return std::filesystem::exists(scratch.path() / name); }
    void write(const std::string& name, const std::string& text) { std::ofstream(scratch.path() / name) << text; }
    /// Rows of wedge.csv, with their fields by the names of the first row. No field of these tests has a quotation mark.
    [[nodiscard]] std::vector<std::map<std::string, std::string>> table(const std::string& folder) const {
        const auto fields = [](const std::string& line) {
            std::vector<std::string> all{""};
            bool quoted = false;
            for (const char c : line) {
                if (c == '"') quoted = !quoted;
                else if (c == ',' && !quoted) all.emplace_back();
                else all.back() += c;
            }
            return all;
        };
        std::istringstream text(read(folder + "/wedge.csv"));
        std::string line;
        std::getline(text, line);
        const std::vector<std::string> names = fields(line);
        std::vector<std::map<std::string, std::string>> rows;
        while (std::getline(text, line)) {
            const std::vector<std::string> values = fields(line);
            EXPECT_EQ(values.size(), names.size()) << line;
            rows.emplace_back();
            for (std::size_t n = 0; n < std::min(names.size(), values.size()); ++n) rows.back()[names[n]] = values[n];
        }
        return rows;
    }
    ScratchFolder scratch;
};

TEST_F(Wedge, RendersEveryCombination) {
    const Outcome o = wisp("wedge" + kFilm + kTwoKeys + "--out {index}/%04d.png --stats {index}.jsonl --results r");
    expect(o, 0);
    EXPECT_THAT(o.errors, HasSubstr("member 5 (emitter[0].radius=0.15, pressure.iterations=2)"));
    const auto rows = table("r");
    ASSERT_EQ(rows.size(), 6u);
    const char* const radius[] = {"0.1", "0.1", "0.2", "0.2", "0.15", "0.15"};
    for (std::size_t n = 0; n < 6; ++n) {
        SCOPED_TRACE(n);
        const std::string name = "000" + std::to_string(n);
        // Pictures of this size are their own thumbnails.
        EXPECT_TRUE(read("r/" + name + ".thumbnail.png") == read(name + "/0001.png"));
        const json result = readJson("r/" + name + ".json");
        EXPECT_EQ(result.at("status"), 0);
        EXPECT_EQ(result.at("steps"), 4);
        EXPECT_EQ(result.at("settings").at("values"),
                  json({{"emitter[0].radius", std::stod(radius[n])}, {"pressure.iterations", 1 + static_cast<int>(n) % 2}}));
        EXPECT_EQ(result.at("settings").at("files"), json({{"out", name + "/%04d.png"}, {"stats", name + ".jsonl"}}));
        EXPECT_GT(result.at("seconds").get<double>() * 1e3, 4 * result.at("ms_per_step").get<double>());
        EXPECT_GT(result.at("ms_per_step"), 0.0);
        // Quality numbers are those of the last step.
        std::istringstream stats(read(name + ".jsonl"));
        json last;
        for (std::string line; std::getline(stats, line);) last = json::parse(line);
        ASSERT_EQ(last.at("step"), 4);
        for (const char* key : {"divergence_rms", "residual", "mass", "kinetic_energy", "max_speed"}) {
            EXPECT_EQ(result.at("quality").at(key), last.at(key)) << key;
            EXPECT_EQ(json::parse(rows[n].at(key)), last.at(key)) << key;
        }
        EXPECT_EQ(rows[n].at("index"), std::to_string(n));
        EXPECT_EQ(rows[n].at("emitter[0].radius"), radius[n]);
        EXPECT_EQ(rows[n].at("pressure.iterations"), std::to_string(1 + n % 2));
        EXPECT_EQ(rows[n].at("status"), "0");
        EXPECT_EQ(rows[n].at("steps"), "4");
    }
    EXPECT_THAT(read("r/sheet.png"), StartsWith("\x89PNG"));
    // A member is the same as a film with its values.
    expect(wisp("render" + kFilm + "--set 'emitter[0].radius=0.15' --set pressure.iterations=2 --stats s.jsonl --out alone/%04d.png"), 0);
    EXPECT_TRUE(read("alone/0001.png") == read("0005/0001.png"));
    EXPECT_FALSE(read("0003/0001.png") == read("0005/0001.png"));
}

TEST_F(Wedge, MembersMayRunAnywhereInAnyOrder) {
    const std::string run = "wedge" + kFilm + kTwoKeys;
    for (const char* n : {"4", "0", "1"}) expect(wisp(run + "--results r --out o{index}.mp4 --index " + n), 0);
    EXPECT_FALSE(exists("r/sheet.png"));
    Outcome o = wisp(run + "--results r --out o{index}.mp4 --collect");
    expect(o, 1);
    EXPECT_THAT(o.errors, HasSubstr("3 of 6 members have no result in r: 2, 3, 5"));
    EXPECT_TRUE(exists("r/sheet.png"));
    auto rows = table("r");
    ASSERT_EQ(rows.size(), 6u);
    EXPECT_EQ(rows[4].at("status"), "0");
    EXPECT_EQ(rows[2].at("status"), "");
    EXPECT_EQ(rows[2].at("emitter[0].radius"), "0.2");
    for (const char* n : {"2", "5", "3"}) expect(wisp(run + "--results r --out o{index}.mp4 --index " + n), 0);
    expect(wisp(run + "--results r --out o{index}.mp4 --collect", "VK_DRIVER_FILES=/dev/null VK_ICD_FILENAMES=/dev/null"), 0);
    // As in one run, up to the times.
    expect(wisp(run + "--results all --out a{index}.mp4"), 0);
    const auto at_once = table("all");
    rows = table("r");
    for (std::size_t n = 0; n < 6; ++n) {
        for (const auto& [name, value] : at_once[n]) {
            if (name == "seconds" || name == "ms_per_step") continue;
            EXPECT_EQ(rows[n].at(name), value) << n << " " << name;
        }
        const std::string name = "000" + std::to_string(n);
        EXPECT_TRUE(read("r/" + name + ".thumbnail.png") == read("all/" + name + ".thumbnail.png"));
        EXPECT_TRUE(exists("o" + name + ".mp4"));
    }
    expect(wisp(run + "--index 6"), 2);
}

TEST_F(Wedge, ListsItsMembersWithoutADevice) {
    const std::string none = "VK_DRIVER_FILES=/dev/null VK_ICD_FILENAMES=/dev/null";
    const Outcome text = wisp("wedge smoke" + kTwoKeys + "--list", none);
    expect(text, 0);
    EXPECT_EQ(std::ranges::count(text.output, '\n'), 6);
    EXPECT_THAT(text.output, HasSubstr("    3  emitter[0].radius=0.2 pressure.iterations=2  smoke_wedge/0003.mp4\n"));
    const Outcome o = wisp("wedge smoke" + kTwoKeys + "--list --json --out 'o/{emitter[0].radius}_{pressure.iterations}.mp4'", none);
    expect(o, 0);
    const json list = json::parse(o.output);
    EXPECT_EQ(list.at("count"), 6);
    EXPECT_EQ(list.at("keys"), json({"emitter[0].radius", "pressure.iterations"}));
    ASSERT_EQ(list.at("members").size(), 6u);
    EXPECT_EQ(list.at("members")[3], json({{"index", 3},
                                           {"values", {{"emitter[0].radius", 0.2}, {"pressure.iterations", 2}}},
                                           {"output", "o/0.2_2.mp4"},
                                           {"result", "smoke_wedge/0003.json"}}));
    EXPECT_TRUE(scratch.files().empty());
}

TEST_F(Wedge, ABillionMembersAreRefusedAtOnce) {
    if (!std::string_view(WISP_SANITIZER).empty()) GTEST_SKIP() << "a sanitizer reserves more memory than the limit";
    const Outcome o = wisp("wedge smoke --set-each flow.vorticity=0:1:1000 --set-each seed=0:999:1000 --set-each flow.buoyancy=0:1:1000",
                           "ulimit -v 2000000;");
    expect(o, 2);
    EXPECT_THAT(o.errors, HasSubstr("1000000000 members; at most 10000"));
}

TEST_F(Wedge, NothingRunsIfAMemberCannot) {
    const std::pair<const char*, const char*> cases[] = {
        {"--set-each flow.vorticity=0.2,0.4,-1", "member 2 (flow.vorticity=-1)"},
        {"--set-each pressure.iterations=1:4:3", "member 1 (pressure.iterations=2.5)"},
        {"--set-each flow.vorticity=1,2 --out o.mp4", "member 1 would write the same file"},
        {"--set-each flow.vorticity=1,2 --out {index}.tiff", ".tiff is not a known file type"},
        {"--set-each flow.vorticity=1,2 --out old{index}.mp4", "old0001.mp4: exists already"},
        {"--set-each seed=1,2 --no-picture --volume same_%04d.nvdb", "--volume same_%04d.nvdb"},
        {"--set-each seed=1,2 --samples 4", "--samples 4 needs path mode"},
        {"--set-each seed=1,2 --volume {index}_%04d.nvdb --volume-fields dust", "\"dust\" is not a field"},
        {"--set-each seed=1,2 --quality auto", "--quality"},
        {"--set-each seed=1,2 --list --collect", "--list"},
        {"--set-each seed=1,2 --json", "--list"},
        {"--out o.mp4", "--set-each"},
    };
    write("old0001.mp4", "earlier");
    for (const auto& [arguments, message] : cases) {
        const Outcome o = wisp("wedge" + kFilm + arguments);
        EXPECT_EQ(o.status, 2) << arguments << o.errors;
        EXPECT_THAT(o.errors, HasSubstr(message)) << arguments;
        EXPECT_THAT(scratch.files(), ElementsAre("old0001.mp4")) << arguments;
    }
    EXPECT_EQ(read("old0001.mp4"), "earlier");
}

TEST_F(Wedge, ACompleteMemberIsNotRunAgain) {
    const std::string run = "wedge" + kScene + "--set-each seed=1,2 --frames 1 --out {index}.png --results r ";
    expect(wisp(run), 0);
    const std::string first = read("r/0000.json");
    std::filesystem::remove(scratch.path() / "r/0001.json");
    std::filesystem::remove(scratch.path() / "0001.png");
    Outcome o = wisp(run);
    expect(o, 0);
    EXPECT_THAT(o.errors,
                AllOf(HasSubstr("member 0 (seed=1): has its result r/0000.json already"), Not(HasSubstr("member 1 (seed=2): has"))));
    EXPECT_EQ(read("r/0000.json"), first);
    EXPECT_TRUE(exists("0001.png") && exists("r/0001.json"));
    // Other settings, or another wedge.
    o = wisp("wedge" + kScene + "--set-each seed=1,2 --frames 2 --out {index}/%04d.png --results r");
    expect(o, 2);
    EXPECT_THAT(o.errors, AllOf(HasSubstr("r/0000.json: member 0 (seed=1)"), HasSubstr("frames is \"1\" there and \"2\" here")));
    o = wisp(run + "--set flow.vorticity=0.7");
    expect(o, 2);
    EXPECT_THAT(o.errors, HasSubstr("its scene differs"));
    for (const char* mode : {"", "--collect"}) {
        o = wisp("wedge" + kScene + "--set-each seed=1,3 --frames 1 --out {index}.png --results r " + mode);
        expect(o, 2);
        EXPECT_THAT(o.errors, AllOf(HasSubstr("r/0001.json: is of another wedge"), HasSubstr("seed is 2 there and 3 here")));
    }
    EXPECT_EQ(read("r/0000.json"), first);
    o = wisp(run + "--set flow.vorticity=0.7 --overwrite");
    expect(o, 0);
    EXPECT_NE(read("r/0000.json"), first);
}

TEST_F(Wedge, AKilledMemberHasNoResult) {
    const std::string run = "wedge" + kScene + "--set-each seed=1:3:3 --frames 1 --out {index}.png --results r ";
    // The second member would take for ever. It is killed in the middle.
    const Outcome o = runShell(WISP_BINARY " " + run + "--index 0 && { " WISP_BINARY " " + run +
                                   "--index 1 --steps-per-frame 1000 --set pressure.iterations=1000 & "
                                   "sleep 2; kill -KILL $!; wait $!; }",
                               scratch.path());
    expect(o, 137);
    EXPECT_TRUE(exists("r/0000.json"));
    EXPECT_FALSE(exists("r/0001.json"));
    expect(wisp(run), 0);
    EXPECT_EQ(table("r").size(), 3u);
}

TEST_F(Wedge, AnInterruptedWedgeGoesOn) {
    const std::string run = "wedge smoke --set grid.cells=[32,16,16] --size 64x36 --steps-per-frame 1" + kPlain +
                            "--frames 100 --set-each seed=1:3:3 --out {index}/%04d.png --results r ";
    Outcome o = runShell(
        WISP_BINARY " " + run + "& until test -e 0001/0002.png; do kill -0 $! || exit 1; sleep 0.05; done; kill -INT $!; wait $!",
        scratch.path());
    expect(o, 130);
    EXPECT_THAT(o.errors, HasSubstr("1 of 3 members are complete"));
    EXPECT_EQ(readJson("r/0001.json").at("status"), 130);
    EXPECT_FALSE(exists("r/0002.json") || exists("r/sheet.png"));
    o = wisp(run);
    expect(o, 0);
    EXPECT_THAT(o.errors, AllOf(HasSubstr("member 0 (seed=1): has its result"), Not(HasSubstr("member 1 (seed=2): has"))));
    for (const char* n : {"0000", "0001", "0002"}) EXPECT_TRUE(exists(std::string(n) + "/0099.png")) << n;
}

TEST_F(Wedge, AFailedMemberStopsNoOther) {
    // The folder of the second member's statistics does not exist.
    std::filesystem::create_directory(scratch.path() / "d1");
    std::filesystem::create_directory(scratch.path() / "d3");
    const std::string run = "wedge" + kScene + "--set-each seed=1:3:3 --frames 1 --out {index}.png --stats d{seed}/s.jsonl --results r ";
    Outcome o = wisp(run);
    expect(o, 6);
    EXPECT_THAT(o.errors, AllOf(HasSubstr("member 1 (seed=2): d2/s.jsonl: cannot be created"), HasSubstr("1 of 3 members failed")));
    EXPECT_TRUE(exists("0000.png") && exists("0002.png"));
    auto rows = table("r");
    EXPECT_EQ(rows[1].at("status"), "6");
    EXPECT_THAT(rows[1].at("error"), HasSubstr("d2/s.jsonl"));
    EXPECT_EQ(rows[1].at("mass"), "");
    EXPECT_EQ(rows[2].at("status"), "0");
    const std::string failed = read("r/sheet.png");
    o = wisp(run + "--collect");
    expect(o, 6);
    EXPECT_THAT(o.errors, HasSubstr("1 of 3 members failed: 1"));
    expect(wisp(run + "--index 1"), 6);
    // It is run again, and only it.
    std::filesystem::create_directory(scratch.path() / "d2");
    o = wisp(run);
    expect(o, 0);
    EXPECT_THAT(o.errors, AllOf(HasSubstr("member 0 (seed=1): has its result"), HasSubstr("member 2 (seed=3): has its result")));
    EXPECT_EQ(table("r")[1].at("status"), "0");
    EXPECT_FALSE(read("r/sheet.png") == failed);
}

TEST_F(Wedge, NaNEndsItsMemberOnly) {
    std::filesystem::copy(sourceFolder() + "/shaders", scratch.path() / "shaders", std::filesystem::copy_options::recursive);
    const std::string run = "wedge smoke --set grid.cells=[32,16,16] --size 64x36 --steps-per-frame 1" + kPlain +
                            "--frames 300 --set-each seed=1,2 --out {index}/%04d.png --results r ";
    Outcome o = runShell(WISP_BINARY " " + run +
                             "--watch-shaders shaders & until test -e 0000/0000.png; do sleep 0.05; done;"
                             "sed -i 's|toStorage(s)|s * (0.0 / 0.0)|' shaders/smoke/emit_scalars.comp; wait $!",
                         scratch.path());
    expect(o, 7);
    EXPECT_THAT(o.errors, AllOf(HasSubstr("member 0 (seed=1): step"), HasSubstr("1 of 2 members failed")));
    EXPECT_TRUE(exists("0001/0299.png"));
    auto rows = table("r");
    EXPECT_EQ(rows[0].at("status"), "7");
    EXPECT_THAT(rows[0].at("error"), HasSubstr("density is no longer finite"));
    EXPECT_EQ(rows[1].at("status"), "0");
    // Its images may be replaced, because its result says that they are of this wedge.
    ASSERT_TRUE(exists("0000/0000.png"));
    o = wisp(run);
    expect(o, 0);
    EXPECT_THAT(o.errors, AllOf(Not(HasSubstr("member 0 (seed=1): has")), HasSubstr("member 1 (seed=2): has its result")));
    EXPECT_TRUE(exists("0000/0299.png"));
    EXPECT_EQ(table("r")[0].at("status"), "0");
}

TEST_F(Wedge, DamagedResultsAreNamed) {
    const std::string run = "wedge" + kScene + "--set-each seed=1,2 --frames 1 --out {index}.png --results r ";
    expect(wisp(run), 0);
    const std::string good = read("r/0001.json");
    for (const std::string& bad : {std::string(), std::string("{}"), good.substr(0, good.size() / 2), std::string("[1, 2]")}) {
        write("r/0001.json", bad);
        const Outcome o = wisp(run + "--collect");
        expect(o, 2);
        EXPECT_THAT(o.errors, HasSubstr("r/0001.json: is not a result of wisp wedge"));
    }
    write("r/0001.json", good);
    write("r/0001.thumbnail.png", "no image");
    const Outcome o = wisp(run + "--collect");
    expect(o, 2);
    EXPECT_THAT(o.errors, HasSubstr("r/0001.thumbnail.png: is not a thumbnail of wisp wedge"));
}

TEST_F(Wedge, ThumbnailsShowWhatOtherFormatsShow) {
    const std::string run = "wedge" + kScene + "--set-each seed=1,2 --frames 1 ";
    expect(wisp(run + "--out {index}.png --results png"), 0);
    expect(wisp(run + "--out {index}.exr --results exr"), 0);
    EXPECT_TRUE(read("exr/0001.thumbnail.png") == read("png/0001.thumbnail.png"));
    expect(wisp(run + "--no-picture --volume {index}_%02d.nvdb --results none"), 0);
    EXPECT_EQ(readJson("none/0000.json").at("thumbnail"), false);
    EXPECT_TRUE(exists("0001_00.nvdb") && exists("none/sheet.png"));
    EXPECT_FALSE(exists("none/0000.thumbnail.png"));
    // Prints the memory of each member, and writes nothing more.
    const auto before = scratch.files();
    const Outcome o = wisp(run + "--dry-run");
    expect(o, 0);
    EXPECT_EQ(scratch.files(), before);
    EXPECT_NE(o.output.find("total"), o.output.rfind("total"));
}

// Frame 3 is drawn from another checkpoint than frame 0.
TEST_F(Wedge, ThumbnailsOfACacheShowTheLastFrame) {
    const std::string size = " --size 64x36 ";
    expect(wisp("sim smoke --set grid.cells=[16,8,8] --steps-per-frame 8 --frames 4 --every 2 --cache c"), 0);
    expect(wisp("wedge --cache c --frames 0,3 --set-each medium.extinction=20 --out %04d_{index}.png --results r" + size), 0);
    EXPECT_TRUE(read("r/0000.thumbnail.png") == read("0003_0000.png"));
    EXPECT_FALSE(read("r/0000.thumbnail.png") == read("0000_0000.png"));
}

TEST_F(Wedge, LooksAreComparedFromOneCache) {
    expect(wisp("sim smoke --set grid.cells=[32,16,16] --steps-per-frame 1 --frames 4 --every 2 --cache c"), 0);
    const std::string run = "wedge --cache c --size 64x36 --set-each medium.extinction=5,20 --out {index}/%04d.png --results r ";
    expect(wisp(run), 0);
    EXPECT_TRUE(exists("0001/0003.png"));
    for (const char* n : {"0000", "0001"})
        EXPECT_TRUE(read(std::string("r/") + n + ".thumbnail.png") == read(std::string(n) + "/0003.png"));
    EXPECT_FALSE(read("0000/0003.png") == read("0001/0003.png"));
    // One that was killed between its last frame and its result.
    const std::string thumbnail = read("r/0001.thumbnail.png"), frame = read("0001/0000.png");
    std::filesystem::remove(scratch.path() / "r/0001.json");
    std::filesystem::remove(scratch.path() / "r/0001.thumbnail.png");
    expect(wisp(run), 0);
    EXPECT_TRUE(read("r/0001.thumbnail.png") == thumbnail);
    EXPECT_TRUE(read("0001/0000.png") == frame);
    const Outcome o = wisp("wedge smoke --set grid.cells=[32,16,16] --cache c --set-each flow.vorticity=0.1,0.2 --out {index}/%04d.png");
    expect(o, 2);
    EXPECT_THAT(o.errors, AllOf(HasSubstr("member 0"), HasSubstr("flow.vorticity")));
}

}  // namespace
}  // namespace wisp::test
