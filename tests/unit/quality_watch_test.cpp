// SPDX-License-Identifier: MIT
// --quality auto in the window: when a level is changed, and when not.
#include "app/live/quality_watch.h"

#include <gtest/gtest.h>

namespace wisp::app {
namespace {

constexpr double kEach = 1.0 / 60;  // [s] a frame

std::vector<engine::PassTime> times(double step, double picture) {
    return {{.name = "step", .calls = 2, .ms = 2.0 * step, .scope = true},
            {.name = "frame", .calls = 1, .ms = picture, .scope = true},
            {.name = "advect", .calls = 2, .ms = 100.0}};  // part of a step: not to be added to it
}

class Watched : public testing::Test {
protected:
    /// So many seconds of frames with these times.
    void run(double seconds, double step, double picture) {
        for (double t = 0.0; t < seconds; t += kEach) watch.add(kEach, times(step, picture));
    }
    std::optional<QualityLevel> advised(QualityLevel now) {
        const auto advice = watch.advice(now);
        return advice ? std::optional(advice->level) : std::nullopt;
    }
    void change(QualityLevel now) {
        const auto advice = watch.advice(now);
        ASSERT_TRUE(advice);
        watch.changed(*advice, now);
    }
    static constexpr double kLook = QualityWatch::kSettle + QualityWatch::kSpan + 0.1;
    QualityWatch watch{
        {{QualityLevel::Preview, 1e6}, {QualityLevel::Standard, 8e6}, {QualityLevel::High, 27e6}, {QualityLevel::Ultra, 64e6}}, 2.0};
};

TEST_F(Watched, WhatFitsStays) {
    run(20.0, 6.0, 3.9);
    EXPECT_EQ(advised(QualityLevel::Standard), std::nullopt);
    run(9.0, 6.5, 4.4);
    EXPECT_EQ(advised(QualityLevel::Standard), std::nullopt) << "17.4 ms: a little too long is no reason to begin again";
}

TEST_F(Watched, ATooSlowLevelGoesDownAsFarAsItMust) {
    run(kLook, 8.0, 2.0);
    ASSERT_TRUE(watch.advice(QualityLevel::Ultra));
    EXPECT_NEAR(watch.advice(QualityLevel::Ultra)->ms, 18.0, 1e-9) << "two steps and the picture";
    EXPECT_EQ(advised(QualityLevel::Ultra), QualityLevel::High);
    run(kLook, 20.0, 5.0);
    EXPECT_EQ(advised(QualityLevel::Ultra), QualityLevel::Standard) << "45 ms: at high still 19";
    run(kLook, 200.0, 5.0);
    EXPECT_EQ(advised(QualityLevel::Ultra), QualityLevel::Preview) << "none fits";
    EXPECT_EQ(advised(QualityLevel::Preview), std::nullopt) << "nothing is coarser";
}

TEST_F(Watched, ALevelGoesUpByOneWithAClearMargin) {
    run(kLook, 0.4, 0.5);
    EXPECT_EQ(advised(QualityLevel::Preview), QualityLevel::Standard) << "1.3 ms: 10.4 at most with 8 times the cells";
    EXPECT_EQ(advised(QualityLevel::Standard), QualityLevel::High);
    EXPECT_EQ(advised(QualityLevel::Ultra), std::nullopt) << "nothing is finer";
    run(kLook, 0.5, 0.5);
    EXPECT_EQ(advised(QualityLevel::Preview), std::nullopt) << "12 ms might fit, but not clearly";
}

TEST_F(Watched, TheBeginDoesNotCount) {
    run(QualityWatch::kSettle - 0.1, 500.0, 500.0);
    run(QualityWatch::kSpan - 0.5, 1.0, 2.0);
    EXPECT_EQ(advised(QualityLevel::High), std::nullopt) << "not seen for long enough";
    run(1.0, 6.0, 2.0);
    EXPECT_EQ(advised(QualityLevel::High), std::nullopt);
}

TEST_F(Watched, AFewSlowFramesSayNothing) {
    for (int n = 0; n < 3; ++n) watch.add(2.0, {});
    watch.add(2.0, times(300.0, 50.0));
    EXPECT_EQ(advised(QualityLevel::Standard), std::nullopt) << "one picture";
    for (int n = 0; n < 3; ++n) watch.add(2.0, times(300.0, 50.0));
    EXPECT_EQ(advised(QualityLevel::Standard), QualityLevel::Preview);
}

TEST_F(Watched, ItDoesNotGoToAndFro) {
    run(kLook, 8.5, 3.0);
    change(QualityLevel::Ultra);
    run(kLook, 0.5, 0.4);
    EXPECT_EQ(advised(QualityLevel::High), std::nullopt) << "ultra was too slow, whatever high takes";
    run(kLook, 30.0, 5.0);
    change(QualityLevel::High);
    run(kLook, 30.0, 5.0);
    EXPECT_EQ(advised(QualityLevel::Standard), std::nullopt) << "two changes are all";
}

TEST_F(Watched, NoChangeComesLate) {
    run(QualityWatch::kEarly - 1.0, 6.0, 3.0);
    run(kLook + 1.0, 60.0, 30.0);
    EXPECT_EQ(advised(QualityLevel::Standard), std::nullopt);
}

TEST_F(Watched, APauseOfTheWindowIsNoAge) {
    watch.add(3600.0, {});
    run(kLook, 60.0, 30.0);
    EXPECT_EQ(advised(QualityLevel::Standard), QualityLevel::Preview);
}

}  // namespace
}  // namespace wisp::app
