// SPDX-License-Identifier: MIT
// --quality auto: from measured times to a quality level.
#include "app/run/quality_choice.h"
#include "app/cli/command_line.h"
#include "files/scene/scene.h"

#include <gmock/gmock.h>

#include <array>

namespace wisp::app {
namespace {

using testing::HasSubstr;

Scene smoke() { return Scene::load("smoke"); }

std::vector<LevelCells> levelsOf(Scene scene) {
    std::vector<LevelCells> levels;
    for (const std::string& level : Scene::qualities()) levels.push_back({level, cellCount(scene.setQuality(level))});
    return levels;
}

/// Times at preview and at standard: `fixed`, plus `step` and `picture` per million cells [ms].
std::array<LevelTime, 2> measured(const std::vector<LevelCells>& levels, double fixed, double step, double picture) {
    const auto at = [&](double cells) { return LevelTime{cells, {fixed + step * cells * 1e-6, fixed + picture * cells * 1e-6}}; };
    return {at(levels[0].cells), at(levels[1].cells)};
}

TEST(QualityChoice, CountsCellsOfVelocityAndOfScalars) {
    Scene scene;
    scene.set("grid.cells", {4, 3, 2});
    EXPECT_EQ(cellCount(scene), 48.0);
    scene.set("grid.scalar_ratio", 2);
    EXPECT_EQ(cellCount(scene), 24.0 + 8 * 24.0);
    scene.set("grid.cells", {4, 3, 1});
    EXPECT_EQ(cellCount(scene), 12.0 + 4 * 12.0);
}

TEST(QualityChoice, StepsKeepRealTime) {
    EXPECT_EQ(stepsOfFrame(1.0 / 120), 2.0);
    EXPECT_EQ(stepsOfFrame(0.0083333333), 2.0) << "as a scene file may round it";
    EXPECT_EQ(stepsOfFrame(1.0 / 60), 1.0);
    EXPECT_EQ(stepsOfFrame(0.01), 2.0) << "1.67 on average, so some frames have two steps";
    EXPECT_EQ(stepsOfFrame(0.1), 1.0) << "a frame has no step or a whole step";
    EXPECT_EQ(stepsOfFrame(1e-4), 8.0) << "the window limits the steps per frame";
}

TEST(QualityChoice, UsesALineThroughTwoGrids) {
    const std::array<LevelTime, 2> two{LevelTime{1e6, {1.0, 2.0}}, LevelTime{8e6, {4.5, 2.7}}};
    const FrameTime finer = timeAt(64e6, two);
    EXPECT_NEAR(finer.step, 0.5 + 0.5 * 64, 1e-9);
    EXPECT_NEAR(finer.picture, 1.9 + 0.1 * 64, 1e-9);
    EXPECT_NEAR(timeAt(1e6, two).step, 1.0, 1e-9);
    const FrameTime noisy = timeAt(64e6, std::array{LevelTime{1e6, {1.0, 2.0}}, LevelTime{8e6, {0.9, 1.0}}});
    EXPECT_EQ(noisy.step, 0.9) << "a level must not be predicted faster than a coarser level";
    EXPECT_EQ(noisy.picture, 1.0);
}

TEST(QualityChoice, TimesOfOneGridAreScaledProportionally) {
    const FrameTime finer = timeAt(8e6, std::array{LevelTime{1e6, {1.0, 2.0}}});
    EXPECT_EQ(finer.step, 8.0);
    EXPECT_EQ(finer.picture, 16.0);
    EXPECT_EQ(timeAt(8e6, std::array{LevelTime{1e6, {1.0, 2.0}}, LevelTime{1e6, {3.0, 4.0}}}).step, 8.0)
        << "two measurements of the same grid count as one";
}

TEST(QualityChoice, ChoosesTheFinestLevelThatFits) {
    const std::vector<LevelCells> levels = levelsOf(smoke());
    const double ultra = levels[3].cells * 1e-6, high = levels[2].cells * 1e-6, standard = levels[1].cells * 1e-6;
    const auto choose = [&](double step) { return chooseLevel(levels, 2.0, measured(levels, 0.0, step, 0.0)); };
    for (const auto& [millions, level] : {std::pair(ultra, "ultra"), {high, "high"}, {standard, "standard"}}) {
        EXPECT_EQ(choose(0.999 * kFrameBudget / 2 / millions).level, level);
        EXPECT_NE(choose(1.001 * kFrameBudget / 2 / millions).level, level);
        EXPECT_NEAR(choose(0.999 * kFrameBudget / 2 / millions).ms, 0.999 * kFrameBudget, 1e-9);
    }
    EXPECT_EQ(choose(1e6).level, "preview") << "if no level fits";
    EXPECT_EQ(chooseLevel(std::span(levels).first(2), 2.0, measured(levels, 0.0, 1e-9, 0.0)).level, "standard")
        << "only levels that fit into memory";
}

// An NVIDIA H200: a step of `smoke` takes 0.787 ms, an image of 1280x720 0.62 ms. The share of that at preview determines the line. At
// least 1/5 of a step and 2/5 of the image do not depend on the cells: 53 waits between passes, and the pixels.
TEST(QualityChoice, SmokeIsUltraAtTheTimesOfAnH200) {
    const std::vector<LevelCells> levels = levelsOf(smoke());
    for (double step = 0.2; step < 1.0; step += 0.1)
        for (double picture = 0.4; picture < 1.0; picture += 0.1) {
            const std::array<LevelTime, 2> times{LevelTime{levels[0].cells, {0.787 * step, 0.62 * picture}},
                                                 LevelTime{levels[1].cells, {0.787, 0.62}}};
            EXPECT_EQ(chooseLevel(levels, stepsOfFrame(1.0 / 120), times).level, "ultra") << step << " " << picture;
        }
}

// Mesa lavapipe on two cores takes 0.3e9 samples per second, the H200 425e9.
TEST(QualityChoice, AFewSamplesDetectAMuchTooSlowDevice) {
    const std::vector<LevelCells> levels = levelsOf(smoke());
    EXPECT_GT(leastFrameMs(levels[0].cells, 2.0, 0.3e9), 3.0 * kFrameBudget);
    EXPECT_LT(leastFrameMs(levels[0].cells, 2.0, 0.3e9), 2.0 * 287.0) << "a lower bound: a step at preview takes 287 ms on that device";
    EXPECT_LT(leastFrameMs(levels[1].cells, 2.0, 425e9), 2.0 * 0.787);
    EXPECT_EQ(leastFrameMs(levels[0].cells, 2.0, 0.0), 0.0) << "unknown rate: the steps must be measured";
}

TEST(QualityChoice, WithoutTimestampsTheClockDecides) {
    const FrameTime none = timestampsOr({0.0, 0.0}, {3.0, 4.0}), both = timestampsOr({1.0, 2.0}, {3.0, 4.0});
    EXPECT_EQ(none.step, 3.0);
    EXPECT_EQ(none.picture, 4.0);
    EXPECT_EQ(both.step, 1.0);
    EXPECT_EQ(both.picture, 2.0);
}

TEST(QualityChoice, MessageGivesTheReason) {
    EXPECT_EQ(choiceText("high", "about 9 ms", "NVIDIA X"), "quality: high (a frame takes about 9 ms on NVIDIA X; --quality sets it)");
}

CommandLine parse(std::vector<const char*> words) {
    words.insert(words.begin(), "wisp");
    return parseCommandLine(static_cast<int>(words.size()), words.data());
}

TEST(QualityChoice, IsTheDefaultOnlyInTheWindow) {
    const auto run = [](std::vector<const char*> words) { return std::get<LiveOptions>(parse(std::move(words)).command).common; };
    EXPECT_TRUE(run({"run"}).autoQuality);
    EXPECT_TRUE(run({"run", "--quality", "auto"}).autoQuality);
    EXPECT_FALSE(run({"run", "--quality", "standard"}).autoQuality);
    EXPECT_EQ(run({"run", "--quality", "ultra"}).load.quality, "ultra");
    EXPECT_FALSE(std::get<RenderOptions>(parse({"render"}).command).common.autoQuality);
    EXPECT_FALSE(std::get<BenchOptions>(parse({"bench"}).command).common.autoQuality);
    EXPECT_TRUE(std::get<RenderOptions>(parse({"render", "--quality", "auto"}).command).common.autoQuality);
    EXPECT_TRUE(std::get<BenchOptions>(parse({"bench", "--quality", "auto"}).command).common.autoQuality);
    const CommandLine check = parse({"check", "smoke", "--quality", "auto"});
    EXPECT_THAT(std::get<Answer>(check.command).err, HasSubstr("--quality")) << "`check` has no device to measure";
}

TEST(QualityChoice, ChangingTheLevelEqualsLoadingAtThatLevel) {
    for (const QualityLevel from : kQualityLevels)
        for (const QualityLevel to : kQualityLevels)
            for (const char* name : {"smoke", "ink"})
                EXPECT_EQ(atLevel(loadSceneAndCells(findScene(name), {{}, from}), to).grid, loadScene(findScene(name), {{}, to}).grid)
                    << name << " " << nameOf(to);
}

}  // namespace
}  // namespace wisp::app
