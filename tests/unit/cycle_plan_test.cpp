// SPDX-License-Identifier: MIT
#include "compute/pressure/cycle_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace wisp {
namespace {

constexpr double kTolerance = 1e-2;

std::shared_ptr<const Residuals> solve(Residuals residuals) { return std::make_shared<Residuals>(std::move(residuals)); }

TEST(CyclesFor, AsFewAsKeepTheTolerance) {
    EXPECT_EQ(cyclesFor({1.0, 9e-3}, kTolerance), 1u);
    EXPECT_EQ(cyclesFor({1.0, 6e-3, 5e-4}, kTolerance), 2u) << "one cycle would be within the tolerance, but not with a margin";
    EXPECT_EQ(cyclesFor({1.0, 4e-3, 5e-4}, kTolerance), 1u);
    EXPECT_EQ(cyclesFor({0.0, 0.0}, kTolerance), 1u) << "fluid at rest still gets one cycle";
    EXPECT_EQ(cyclesFor({0.0, 0.0, 0.0, 0.0}, kTolerance), 2u) << "one cycle less at a time";
}

TEST(CyclesFor, AsManyAsTheLastCycleSuggests) {
    EXPECT_EQ(cyclesFor({1.0, 2e-2}, kTolerance), 2u);
    EXPECT_EQ(cyclesFor({1.0, 0.5}, kTolerance), 7u) << "half a residual per cycle: 0.5^7 is below 1e-2, 0.5^6 is not";
    EXPECT_EQ(cyclesFor({1.0, 0.9}, kTolerance), CyclePlan::kMax);
    EXPECT_EQ(cyclesFor({1.0, 1.5}, kTolerance), 2u) << "a residual that grows says nothing about further cycles";
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(cyclesFor({nan, nan, nan}, kTolerance), 2u);
}

TEST(CyclePlan, ActsAFixedNumberOfStepsLater) {
    CyclePlan plan;
    for (std::uint64_t step = 1; step <= 40; ++step) {
        EXPECT_EQ(plan.next(step, kTolerance), step < CyclePlan::kPeriod + CyclePlan::kDelay ? CyclePlan::kFirst : 1u) << step;
        if (CyclePlan::traces(step)) plan.trace(step, solve(step < 16 ? Residuals{1.0, 1e-3, 1e-5} : Residuals{1.0, 6e-3}));
    }
    EXPECT_EQ(plan.traced().size(), 2u) << "of the steps 32 and 40";
}

TEST(CyclePlan, LateResidualsChangeNothing) {
    CyclePlan plan;
    plan.trace(8, solve({}));
    EXPECT_EQ(plan.next(24, kTolerance), CyclePlan::kFirst);
    EXPECT_THAT(plan.traced(), testing::IsEmpty());
}

}  // namespace
}  // namespace wisp
