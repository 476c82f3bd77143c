// SPDX-License-Identifier: MIT
// --quality auto, end to end on a software device, which is far too slow for the grid of the demo.
#include "files/scene/scene.h"
#include "tests/app/window_fixture.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace wisp::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The demo's number of cells.
constexpr const char* kLarge = R"(
name = "large"
[grid]
cells = [192, 96, 96]
scalar_ratio = 2
size = [2.0, 1.0, 1.0]
[[emitter]]
centre = [0.2, 0.5, 0.5]
radius = 0.1
velocity = [1.0, 0.0, 0.0]
density = 1.0
)";

// At draft and at preview the grid is [8, 8, 8], which runs on any device.
constexpr const char* kSmall = R"(
name = "small"
[grid]
cells = [16, 16, 16]
size = [1.0, 1.0, 1.0]
[[emitter]]
centre = [0.5, 0.3, 0.5]
radius = 0.2
velocity = [0.0, 1.0, 0.0]
density = 1.0
[render]
size = [32, 32]
)";

/// Lines that report a choice: level and reason.
std::vector<std::pair<std::string, std::string>> choices(const std::string& said) {
    static const std::regex kLine(
        R"(^quality: (\w+) \(a frame takes (about [0-9.]+ (?:ms|s|min)(?:, the film about [0-9.]+ (?:ms|s|min),)?))"
        R"( on .+; --quality sets it\)$)");
    std::vector<std::pair<std::string, std::string>> found;
    std::istringstream lines(said);
    std::smatch match;
    for (std::string line; std::getline(lines, line);)
        if (std::regex_match(line, match, kLine)) found.emplace_back(match[1], match[2]);
    return found;
}

/// Cells along an edge of kSmall. No level has fewer than 8.
int cellsAt(const std::string& level) {
    for (const QualityLevel l : kQualityLevels)
        if (level == nameOf(l)) return std::max(8, static_cast<int>(16 * scaleOf(l)));
    return 0;
}

class AutoQuality : public WindowTest {
protected:
    void SetUp() override {
        std::ofstream(folder.path() / "large.toml") << kLarge;
        std::ofstream(folder.path() / "small.toml") << kSmall;
    }
    Outcome wisp(const std::string& arguments) {
        Outcome o = runShell(WISP_BINARY " " + arguments, folder.path());
        EXPECT_EQ(o.status, 0) << arguments << "\n" << o.output << o.errors;
        return o;
    }
};

TEST_F(AutoQuality, TheWindowOfASlowDeviceIsADraft) {
    const Outcome o = drive("said \"t = \" 1; xdotool key ctrl+q", "", kLarge, "");
    expectEnded(o);
    const auto said = choices(o.errors);
    ASSERT_EQ(said.size(), 1u) << o.errors;
    EXPECT_EQ(said[0].first, "draft");
    EXPECT_THAT(o.errors, HasSubstr("large: 48x24x24 cells on "));
    EXPECT_THAT(o.errors, Not(HasSubstr("quality changed"))) << "draft is the coarsest level";
}

TEST_F(AutoQuality, AGivenLevelIsUsed) {
    const Outcome o = drive("xdotool key ctrl+q", "", kSmall, "--quality standard");
    expectEnded(o);
    EXPECT_THAT(o.errors, HasSubstr("small: 16x16x16 cells on "));
    EXPECT_THAT(o.errors, Not(HasSubstr("quality: ")));
}

// For any chosen level a line reports it, and the run has the cells of this level.
TEST_F(AutoQuality, RenderAndBenchRunTheLevelThatTheyReport) {
    // The second run finds compiled shaders in the driver's cache, so its step times are measured.
    for (const int run : {1, 2}) {
        const Outcome render = wisp(
            "render small.toml --quality auto --frames 1 --steps-per-frame 1 --overwrite --out a%02d.png --validate --log-level normal");
        const auto said = choices(render.errors);
        ASSERT_EQ(said.size(), 1u) << render.errors;
        const int cells = cellsAt(said[0].first);
        EXPECT_THAT(render.errors,
                    HasSubstr("small: " + std::to_string(cells) + "x" + std::to_string(cells) + "x" + std::to_string(cells) + " cells"))
            << run;
    }
    const Outcome bench = wisp("bench small.toml --quality auto --steps 2 --warmup 0 --json b.json");
    const auto said = choices(bench.errors);
    ASSERT_EQ(said.size(), 1u) << bench.errors;
    EXPECT_EQ(json::parse(readFile(folder.path() / "b.json")).at("grid").at(0), cellsAt(said[0].first));
}

// A factor of 1.5 where nothing else runs. Other tests may run here at the same time, and start or end between the two measurements.
TEST_F(AutoQuality, TheTimeOfAFrameOnASlowDeviceIsMeasured) {
    const Outcome bench = wisp("bench large.toml --quality auto --render --size 160x90 --steps 8 --warmup 8 --json b.json");
    const auto said = choices(bench.errors);
    ASSERT_EQ(said.size(), 1u) << bench.errors;
    ASSERT_EQ(said[0].first, "draft");
    std::smatch number;
    ASSERT_TRUE(std::regex_match(said[0].second, number, std::regex("about ([0-9.]+) (ms|s)"))) << said[0].second;
    const double predicted = std::stod(number[1]) * (number[2] == "s" ? 1000.0 : 1.0);
    const json ms = json::parse(readFile(folder.path() / "b.json")).at("gpu_ms");
    const double steps = 2.0, is = steps * ms.at("step").at("median").get<double>() + ms.at("frame").at("median").get<double>();
    EXPECT_LT(predicted, 3.0 * is);
    EXPECT_GT(predicted, is / 3.0);
}

// Films of hours, each interrupted as soon as it says on which grid it is.
TEST_F(AutoQuality, AFilmOnACpuGetsTheLevelOfItsTime) {
    const auto grid = [&](const std::string& options) {
        const Outcome o = runShell("rm -f said; " WISP_BINARY " render " + options +
                                       " 2>said & W=$!; until grep -qs ' cells on ' said; do kill -0 $W || break; "
                                       "sleep 0.1; done; kill -9 $W; cat said",
                                   folder.path());
        std::smatch cells;
        return std::regex_search(o.output, cells, std::regex("(large|small): ([0-9x]+) cells on ")) ? cells.str(2) : "none: " + o.output;
    };
    const std::string large = "large.toml --frames 20000 --size 64x36 --overwrite" + kPlain + "--out ";
    EXPECT_EQ(grid(large + "a"), "48x24x24");
    EXPECT_EQ(choices(readFile(folder.path() / "said")).size(), 1u) << readFile(folder.path() / "said");
    EXPECT_EQ(grid(large + "b --quality auto"), "48x24x24");
    for (const char* option : {"--quality standard", "--hash", "--stats s.jsonl", "--checkpoint x"}) {
        EXPECT_EQ(grid(large + "c " + option), "192x96x96") << option;
        EXPECT_EQ(choices(readFile(folder.path() / "said")).size(), 0u) << option;
    }
    EXPECT_EQ(grid(large + "d --quality preview"), "96x48x48");
}

TEST_F(AutoQuality, AFilmOfMinutesIsSmallerAndShorter) {
    const Outcome o = wisp("render large.toml --minutes 0.02 --frames 500 --size 320x180 --out m.mp4 --log-level normal");
    EXPECT_EQ(choices(o.errors).size(), 1u) << o.errors;
    std::smatch film;
    ASSERT_TRUE(std::regex_search(o.errors, film, std::regex("large: 48x24x24 cells on .+, ([0-9]+) frames of 80x45 to m.mp4")))
        << o.errors;
    EXPECT_LT(std::stoi(film[1]), 500);
    EXPECT_THAT(o.errors, HasSubstr("m.mp4: " + film.str(1) + " frames in "));
    const Outcome path = runShell(WISP_BINARY " render large.toml --minutes 1 --set render.mode=path", folder.path());
    EXPECT_EQ(path.status, 2);
    EXPECT_THAT(path.errors, HasSubstr("--minutes: "));
}

// Steps on 8^3 cells take milliseconds, but twenty such large pictures take seconds on a CPU device.
TEST_F(AutoQuality, LargePicturesOfASmallSceneAreSmaller) {
    const Outcome o = wisp("render small.toml --minutes 0.01 --frames 20 --size 7680x4320 --out m.mp4 --log-level normal");
    EXPECT_THAT(o.errors, AllOf(testing::ContainsRegex("frames of [0-9x]+ to m.mp4"), Not(HasSubstr("frames of 7680x4320 to"))));
}

TEST_F(AutoQuality, WithoutTheOptionTheGridIsThatOfTheScene) {
    const Outcome o = wisp("render small.toml --frames 1 --steps-per-frame 1 --out a --log-level normal");
    EXPECT_EQ(choices(o.errors).size(), 0u);
    EXPECT_THAT(o.errors, HasSubstr("small: 16x16x16 cells"));
}

TEST_F(AutoQuality, ASweepHasOneLevelForAll) {
    const Outcome o = wisp(
        "bench large.toml --quality auto --sweep flow.vorticity=0.1,0.2 --steps 1 --warmup 0 --json s.json --log-level normal");
    EXPECT_EQ(choices(o.errors).size(), 1u) << o.errors;
    const json sweep = json::parse(readFile(folder.path() / "s.json"));
    for (const json& run : sweep.at("runs")) EXPECT_EQ(run.at("grid"), json({48, 24, 24}));
}

TEST_F(AutoQuality, ACheckpointKeepsItsCells) {
    wisp("render small.toml --quality high --frames 1 --steps-per-frame 1 --out a --checkpoint x");
    for (const char* scene : {"", "small.toml "}) {
        const Outcome o = wisp("render " + std::string(scene) +
                               "--resume x --quality auto --frames 2 --steps-per-frame 1 --out b --log-level normal");
        EXPECT_THAT(o.errors, HasSubstr("24x24x24 cells")) << scene;
        EXPECT_EQ(choices(o.errors).size(), 0u) << "the checkpoint has the grid, so no level is chosen";
    }
}

TEST_F(AutoQuality, AResumedWindowKeepsItsCells) {
    wisp("render small.toml --quality high --frames 1 --steps-per-frame 1 --out a --checkpoint x");
    const Outcome o = drive(
        "xdotool key ctrl+q; finish || exit; SCENE=\"small.toml --resume x\"; start; said \"resumed at step 1\" 1; xdotool key ctrl+q", "",
        kSmall, "");
    expectEnded(o);
    EXPECT_THAT(o.errors, HasSubstr("small: 24x24x24 cells on "));
    EXPECT_EQ(choices(o.errors).size(), 1u) << "only from the first start, which has no checkpoint";
}

}  // namespace
}  // namespace wisp::test
