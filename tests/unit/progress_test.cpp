// SPDX-License-Identifier: MIT
// The time left that a progress display tells, from the units that are done.
#include "app/base/progress.h"

#include <gtest/gtest.h>

namespace wisp::app {
namespace {

using Seconds = std::chrono::duration<double>;

// 1 of 10 units was done when the measurement started, and a unit takes 2 s.
TEST(Progress, TheTimeLeftIsThatOfTheMeasuredUnits) {
    const auto left = [](double done, double since) {
        return timeLeft({.first = 0.1, .now = 0.1 * done, .unit = 0.1}, Seconds(2.0 * (done - 1.0)), Seconds(since));
    };
    EXPECT_NEAR(left(2.0, 0.0), 16.0, 1e-9) << "after one measured unit";
    EXPECT_NEAR(left(2.0, 1.9), 14.1, 1e-9) << "while the next one runs, the time left decreases";
    EXPECT_NEAR(left(2.0, 9.0), 14.0, 1e-9) << "a slow unit leaves the time of all after it";
    EXPECT_NEAR(left(9.5, 0.5), 0.5, 1e-9);
    EXPECT_NEAR(left(9.5, 3.0), 0.0, 1e-9) << "a half unit is left";
    EXPECT_NEAR(left(10.0, 3.0), 0.0, 1e-9);
}

}  // namespace
}  // namespace wisp::app
