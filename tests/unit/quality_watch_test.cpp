// SPDX-License-Identifier: MIT
// --quality auto in the window: when the level changes, and when not.
#include "app/live/quality_watch.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace wisp::app {
namespace {

constexpr double kEach = 1.0 / 60;  // [s] per frame

std::vector<PassTime> times(double step, double picture) {
    return {{.name = "step", .calls = 2, .ms = 2.0 * step, .scope = true},
            {.name = "frame", .calls = 1, .ms = picture, .scope = true},
            {.name = "advect", .calls = 2, .ms = 100.0}};  // part of a step, so it must not be added
}

class Watched : public testing::Test {
protected:
    /// Adds frames with these times for `seconds`.
    void run(double seconds, double step, double picture) {
        for (double t = 0.0; t < seconds; t += kEach) watch.add(kEach, times(step, picture));
    }
    std::optional<std::string> advised(const std::string& now) {
        const auto advice = watch.advice(now);
        return advice ? std::optional(advice->level) : std::nullopt;
    }
    void change(const std::string& now) {
        const auto advice = watch.advice(now);
        ASSERT_TRUE(advice);
        watch.changed(*advice, now);
    }
    static constexpr double kLook = QualityWatch::kSettle + QualityWatch::kSpan + 0.1;
    QualityWatch watch{{{"preview", 1e6}, {"standard", 8e6}, {"high", 27e6}, {"ultra", 64e6}}, 2.0};
};

TEST_F(Watched, ALevelThatFitsStays) {
    run(20.0, 6.0, 3.9);
    EXPECT_EQ(advised("standard"), std::nullopt);
    run(9.0, 6.5, 4.4);
    EXPECT_EQ(advised("standard"), std::nullopt) << "17.4 ms: a small excess must not restart the run";
}

TEST_F(Watched, ATooSlowLevelDropsAsFarAsNecessary) {
    run(kLook, 8.0, 2.0);
    ASSERT_TRUE(watch.advice("ultra"));
    EXPECT_NEAR(watch.advice("ultra")->ms, 18.0, 1e-9) << "two steps and the image";
    EXPECT_EQ(advised("ultra"), "high");
    run(kLook, 20.0, 5.0);
    EXPECT_EQ(advised("ultra"), "standard") << "45 ms: at high it would still be 19 ms";
    run(kLook, 200.0, 5.0);
    EXPECT_EQ(advised("ultra"), "preview") << "no level fits";
    EXPECT_EQ(advised("preview"), std::nullopt) << "there is no coarser level";
}

TEST_F(Watched, ALevelGoesUpByOneWithAClearMargin) {
    run(kLook, 0.4, 0.5);
    EXPECT_EQ(advised("preview"), "standard") << "1.3 ms: at most 10.4 ms with 8 times the cells";
    EXPECT_EQ(advised("standard"), "high");
    EXPECT_EQ(advised("ultra"), std::nullopt) << "there is no finer level";
    run(kLook, 0.5, 0.5);
    EXPECT_EQ(advised("preview"), std::nullopt) << "12 ms might fit, but not clearly";
}

TEST_F(Watched, TheStartDoesNotCount) {
    run(QualityWatch::kSettle - 0.1, 500.0, 500.0);
    run(QualityWatch::kSpan - 0.5, 1.0, 2.0);
    EXPECT_EQ(advised("high"), std::nullopt) << "not measured for long enough";
    run(1.0, 6.0, 2.0);
    EXPECT_EQ(advised("high"), std::nullopt);
}

TEST_F(Watched, AFewSlowFramesChangeNothing) {
    for (int n = 0; n < 3; ++n) watch.add(2.0, {});
    watch.add(2.0, times(300.0, 50.0));
    EXPECT_EQ(advised("standard"), std::nullopt) << "only one frame";
    for (int n = 0; n < 3; ++n) watch.add(2.0, times(300.0, 50.0));
    EXPECT_EQ(advised("standard"), "preview");
}

TEST_F(Watched, LevelDoesNotOscillate) {
    run(kLook, 8.5, 3.0);
    change("ultra");
    run(kLook, 0.5, 0.4);
    EXPECT_EQ(advised("high"), std::nullopt) << "ultra was too slow before, so high must stay";
    run(kLook, 30.0, 5.0);
    change("high");
    run(kLook, 30.0, 5.0);
    EXPECT_EQ(advised("standard"), std::nullopt) << "at most two changes";
}

TEST_F(Watched, LevelOnlyChangesEarlyInARun) {
    run(QualityWatch::kEarly - 1.0, 6.0, 3.0);
    run(kLook + 1.0, 60.0, 30.0);
    EXPECT_EQ(advised("standard"), std::nullopt);
}

TEST_F(Watched, PausesOfTheWindowDoNotCount) {
    watch.add(3600.0, {});
    run(kLook, 60.0, 30.0);
    EXPECT_EQ(advised("standard"), "preview");
}

}  // namespace
}  // namespace wisp::app
