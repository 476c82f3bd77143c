// SPDX-License-Identifier: MIT
// --quality auto, end to end on a software device, which is far too slow for the grid of the demo.
#include "files/scene/scene.h"
#include "tests/app/window_fixture.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <regex>
#include <sstream>

namespace wisp::test {
namespace {

using nlohmann::json;
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

// At preview the grid is [8, 8, 8], which runs on any device.
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
        R"(^quality: (\w+) \(a frame takes ((?:about|at least|more than) [0-9.]+ ms(?: at first)?) on .+; --quality sets it\)$)");
    std::vector<std::pair<std::string, std::string>> found;
    std::istringstream lines(said);
    std::smatch match;
    for (std::string line; std::getline(lines, line);)
        if (std::regex_match(line, match, kLine)) found.emplace_back(match[1], match[2]);
    return found;
}

/// Cells along an edge of kSmall.
int cellsAt(const std::string& level) {
    for (const QualityLevel l : kQualityLevels)
        if (level == nameOf(l)) return static_cast<int>(16 * scaleOf(l));
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

TEST_F(AutoQuality, TheWindowOfASlowDeviceIsAPreview) {
    const Outcome o = drive("said \"t = \" 1; xdotool key ctrl+q", "", kLarge, "");
    expectEnded(o);
    const auto said = choices(o.errors);
    ASSERT_EQ(said.size(), 1u) << o.errors;
    EXPECT_EQ(said[0].first, "preview");
    EXPECT_THAT(o.errors, HasSubstr("large: 96x48x48 cells on "));
    EXPECT_THAT(o.errors, Not(HasSubstr("quality changed"))) << "preview is the coarsest level";
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

TEST_F(AutoQuality, WithoutTheOptionTheGridIsThatOfTheScene) {
    const Outcome o = wisp("render small.toml --frames 1 --steps-per-frame 1 --out a --log-level normal");
    EXPECT_EQ(choices(o.errors).size(), 0u);
    EXPECT_THAT(o.errors, HasSubstr("small: 16x16x16 cells"));
}

TEST_F(AutoQuality, ASweepHasOneLevelForAll) {
    const Outcome o = wisp(
        "bench large.toml --quality auto --sweep flow.vorticity=0.1,0.2 --steps 1 --warmup 0 --json s.json --log-level normal");
    EXPECT_EQ(choices(o.errors).size(), 1u) << o.errors;
    for (const json& run : json::parse(readFile(folder.path() / "s.json")).at("runs")) EXPECT_EQ(run.at("grid"), json({96, 48, 48}));
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
