// SPDX-License-Identifier: MIT
// --quality auto: from measured times to a quality level.
#include "app/run/quality_choice.h"
#include "app/cli/command_line.h"
#include "files/scene/scene.h"

#include <gmock/gmock.h>

#include <algorithm>
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

double cellsOf(const std::vector<LevelCells>& levels, const std::string& level) {
    return std::ranges::find(levels, level, &LevelCells::level)->cells;
}

/// Times at preview and at standard: `fixed`, plus `step` and `picture` per million cells [ms].
std::array<LevelTime, 2> measured(const std::vector<LevelCells>& levels, double fixed, double step, double picture) {
    const auto at = [&](double cells) { return LevelTime{cells, {fixed + step * cells * 1e-6, fixed + picture * cells * 1e-6}}; };
    return {at(cellsOf(levels, "preview")), at(cellsOf(levels, "standard"))};
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
    const double ultra = cellsOf(levels, "ultra") * 1e-6, high = cellsOf(levels, "high") * 1e-6,
                 standard = cellsOf(levels, "standard") * 1e-6;
    const auto choose = [&](double step) { return chooseLevel(levels, 2.0, measured(levels, 0.0, step, 0.0)); };
    for (const auto& [millions, level] : {std::pair(ultra, "ultra"), {high, "high"}, {standard, "standard"}}) {
        EXPECT_EQ(choose(0.999 * kFrameBudget / 2 / millions).level, level);
        EXPECT_NE(choose(1.001 * kFrameBudget / 2 / millions).level, level);
        EXPECT_NEAR(choose(0.999 * kFrameBudget / 2 / millions).ms, 0.999 * kFrameBudget, 1e-9);
    }
    EXPECT_EQ(choose(1e6).level, "draft") << "if no level fits";
    EXPECT_EQ(chooseLevel(std::span(levels).first(3), 2.0, measured(levels, 0.0, 1e-9, 0.0)).level, "standard")
        << "only levels that fit into memory";
}

// An NVIDIA H200: a step of `smoke` takes 0.787 ms, an image of 1280x720 0.62 ms. The share of that at preview determines the line. At
// least 1/5 of a step and 2/5 of the image do not depend on the cells: 53 waits between passes, and the pixels.
TEST(QualityChoice, SmokeIsUltraAtTheTimesOfAnH200) {
    const std::vector<LevelCells> levels = levelsOf(smoke());
    for (double step = 0.2; step < 1.0; step += 0.1)
        for (double picture = 0.4; picture < 1.0; picture += 0.1) {
            const std::array<LevelTime, 2> times{LevelTime{cellsOf(levels, "preview"), {0.787 * step, 0.62 * picture}},
                                                 LevelTime{cellsOf(levels, "standard"), {0.787, 0.62}}};
            EXPECT_EQ(chooseLevel(levels, stepsOfFrame(1.0 / 120), times).level, "ultra") << step << " " << picture;
        }
}

// Mesa lavapipe on two cores takes 0.3e9 samples per second, the H200 425e9.
TEST(QualityChoice, AFewSamplesDetectAMuchTooSlowDevice) {
    const std::vector<LevelCells> levels = levelsOf(smoke());
    const double preview = cellsOf(levels, "preview");
    EXPECT_GT(leastFrameMs(preview, 2.0, 0.3e9), 3.0 * kFrameBudget);
    EXPECT_LT(leastFrameMs(preview, 2.0, 0.3e9), 2.0 * 287.0) << "a lower bound: a step at preview takes 287 ms on that device";
    EXPECT_LT(leastFrameMs(cellsOf(levels, "standard"), 2.0, 425e9), 2.0 * 0.787);
    EXPECT_EQ(leastFrameMs(preview, 2.0, 0.0), 0.0) << "unknown rate: the steps must be measured";
}

TEST(QualityChoice, TheTimeOfAPictureIsThatOfItsPixelsAndOfTheRest) {
    const PictureTime time = pictureTime({100.0, 30.0}, {400.0, 60.0});
    EXPECT_DOUBLE_EQ(time.perPixel, 0.1);
    EXPECT_DOUBLE_EQ(time.fixed, 20.0);
    EXPECT_DOUBLE_EQ(time.ms(1000.0), 120.0);
    EXPECT_DOUBLE_EQ(pictureTime({100.0, 60.0}, {400.0, 50.0}).ms(1000.0), 50.0) << "noise: more pixels do not take less time";
    EXPECT_DOUBLE_EQ(pictureTime({100.0, 1.0}, {400.0, 60.0}).ms(0.0), 0.0) << "noise: the fixed part is not below 0";
    EXPECT_DOUBLE_EQ(pictureTime({1.0, 4.0}, {1.0, 3.0}).ms(2.0), 6.0) << "sizes that cannot be told apart";
}

TEST(QualityChoice, PicturesOfSlowDevicesAreOnALineOverTheCellsAlongAnEdge) {
    const std::array<LevelTime, 2> two{LevelTime{1e6, {10.0, 2000.0}}, LevelTime{8e6, {80.0, 2300.0}}};
    EXPECT_NEAR(slowTimeAt(64e6, two).step, 640.0, 1e-9);
    EXPECT_NEAR(slowTimeAt(64e6, two).picture, 2300.0 + 2 * 300.0, 1e-6) << "100, 200 and 400 cells along an edge";
    EXPECT_NEAR(slowTimeAt(8e6, two).picture, 2300.0, 1e-6);
    const FrameTime one = slowTimeAt(8e6, std::span(two).first(1));
    EXPECT_NEAR(one.step, 80.0, 1e-9);
    EXPECT_EQ(one.picture, 2000.0) << "a lower bound";
    EXPECT_EQ(slowTimeAt(64e6, std::array{two[0], LevelTime{8e6, {80.0, 1000.0}}}).picture, 1000.0) << "noise";
}

TEST(QualityChoice, AFilmGetsTheFinestLevelWithinItsLimit) {
    const std::vector<LevelCells> levels{{"draft", 1e6}, {"preview", 8e6}, {"standard", 64e6}};
    const std::array<LevelTime, 2> two{LevelTime{1e6, {10.0, 100.0}}, LevelTime{8e6, {80.0, 120.0}}};
    const auto choose = [&](double frames) { return chooseFilmLevel(levels, {2.0 * frames, frames, 1e6, 300.0}, two).level; };
    EXPECT_EQ(choose(207.0), "standard") << "2 * 640 + 160 ms a frame: 298 s";
    EXPECT_EQ(choose(209.0), "preview");
    EXPECT_EQ(choose(1071.0), "preview") << "2 * 80 + 120 ms a frame: 299.9 s";
    EXPECT_EQ(choose(1072.0), "draft");
    EXPECT_EQ(choose(1e6), "draft") << "if no level fits";
    EXPECT_EQ(chooseFilmLevel(std::span(levels).first(1), {2.0, 1.0, 1e6, 300.0}, two).level, "draft") << "the only level";
}

TEST(QualityChoice, OnlyFilmsThatAreShortOnAnyCpuAreNotMeasured) {
    EXPECT_TRUE(isShortFilm({.steps = 20.0, .pictures = 10.0, .pixels = 64.0 * 36.0}, 32.0 * 16 * 16)) << "as in most tests";
    EXPECT_TRUE(isShortFilm({.steps = 2.0, .pictures = 1.0, .pixels = 1280.0 * 720.0}, 16e6)) << "a frame of smoke";
    EXPECT_FALSE(isShortFilm({.steps = 480.0, .pictures = 240.0, .pixels = 64.0 * 36.0}, 16e6)) << "all frames of smoke";
    EXPECT_FALSE(isShortFilm({.steps = 2.0, .pictures = 240.0, .pixels = 1280.0 * 720.0}, 4096.0)) << "large pictures of a small grid";
}

TEST(QualityChoice, AFilmBecomesSmallerAndThenShorter) {
    const FilmWork film{.steps = 480.0, .pictures = 120.0, .pixels = 1280.0 * 720.0, .limit = 120.0, .shrinks = true};
    // [ms] 4 steps and a picture may take 1000.
    const auto fit = [&](double step, double fixed, double full) { return fitFilm(film, step, {fixed, full / film.pixels}); };
    EXPECT_EQ(fit(50.0, 100.0, 690.0).scale, 1.0);
    EXPECT_EQ(fit(50.0, 100.0, 710.0).scale, 0.75);
    EXPECT_EQ(fit(50.0, 100.0, 2790.0).scale, 0.5);
    EXPECT_EQ(fit(50.0, 100.0, 2790.0).frames, 120u) << "1000 ms with a quarter of the pixels";
    const FilmFit shorter = fit(50.0, 200.0, 16.0 * 1600.0);
    EXPECT_EQ(shorter.scale, 0.25);
    EXPECT_EQ(shorter.frames, 60u) << "2000 ms a frame";
    EXPECT_EQ(fit(1e9, 0.0, 0.0).frames, 1u);
    const FilmWork smaller = shrunk(film, shorter);
    EXPECT_EQ(smaller.pictures, 60.0);
    EXPECT_EQ(smaller.steps, 240.0);
    EXPECT_EQ(smaller.pixels, 320.0 * 180.0);
    EXPECT_NEAR(filmSeconds(smaller, {50.0, 1800.0}), 120.0, 1e-9);
}

TEST(QualityChoice, TimesAreReadable) {
    EXPECT_EQ(timeText(9.26), "about 9.3 ms");
    EXPECT_EQ(timeText(12.4), "about 12 ms");
    EXPECT_EQ(timeText(1240.0), "about 1.2 s");
    EXPECT_EQ(timeText(42400.0), "about 42 s");
    EXPECT_EQ(timeText(118000.0), "about 2 min");
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

// A result that other runs or programs use must not depend on the speed of the machine, unless --quality auto asks for it.
TEST(QualityChoice, OnlyRendersOfPicturesAloneChooseByDefault) {
    const Scene scene = smoke();
    const auto chooses = [&](std::vector<const char*> words, const Scene& of) {
        const CommandLine line = parse(std::move(words));
        const auto* const options = std::get_if<RenderOptions>(&line.command);
        return options != nullptr && choosesFilmQuality(*options, of);
    };
    EXPECT_TRUE(chooses({"render"}, scene));
    EXPECT_TRUE(chooses({"render", "plume", "--frames", "9", "--out", "a", "--scene-out", "a.glb", "--overwrite"}, scene));
    for (const char* level : {"standard", "draft"}) EXPECT_FALSE(chooses({"render", "--quality", level}, scene)) << level;
    for (const auto& [option, value] : {std::pair("--resume", "x"),
                                        {"--checkpoint", "x"},
                                        {"--cache", "x"},
                                        {"--from", "x.vdb"},
                                        {"--volume", "x.vdb"},
                                        {"--stats", "x"},
                                        {"--trace", "x"}})
        EXPECT_FALSE(chooses({"render", option, value}, scene)) << option;
    for (const char* flag : {"--hash", "--dry-run"}) EXPECT_FALSE(chooses({"render", flag}, scene)) << flag;
    EXPECT_FALSE(chooses({"render"}, Scene(scene).add("probe", "{file = \"p.csv\", at = [0.5, 0.5, 0.5]}"))) << "its values are data";
    for (const char* command : {"bench", "run", "check"}) EXPECT_FALSE(chooses({command, "smoke"}, scene)) << command;
    const CommandLine sim = parse({"sim", "--cache", "x"}), wedge = parse({"wedge", "--set-each", "seed=1,2"}),
                      job = parse({"job", "--slurm", "x", "--set-each", "seed=1,2"});
    EXPECT_FALSE(choosesFilmQuality(std::get<SimOptions>(sim.command).run, scene));
    EXPECT_FALSE(choosesFilmQuality(std::get<WedgeOptions>(wedge.command).render, scene));
    EXPECT_FALSE(choosesFilmQuality(std::get<JobOptions>(job.command).wedge->render, scene));
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
