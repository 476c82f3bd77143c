// SPDX-License-Identifier: MIT
#include "compute/domain/slot_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace wisp {
namespace {

std::shared_ptr<const SlotCounts> used(std::uint32_t flow, std::uint32_t smoke) {
    return std::make_shared<SlotCounts>(SlotCounts{flow, smoke});
}

TEST(SlotPlan, ReadsEveryEighthStep) {
    for (std::uint64_t step = 1; step <= 40; ++step) EXPECT_EQ(SlotPlan::reads(step), step % 8 == 0) << step;
}

TEST(SlotPlan, DecidesSixteenStepsLater) {
    const SlotCounts first{1024, 1024};
    SlotPlan plan(first, {});
    for (std::uint64_t step = 1; step <= 40; ++step) {
        const SlotCounts wanted = plan.wanted(step);
        EXPECT_EQ(wanted.flow > first.flow, step == 24 || step == 32 || step == 40) << step;  // of the steps 8, 16 and 24
        EXPECT_EQ(wanted.smoke, first.smoke) << step;
        if (SlotPlan::reads(step)) plan.read(step, used(1000, 10));
    }
    EXPECT_THAT(plan.uses(), testing::SizeIs(2)) << "of the steps 32 and 40";
}

// A quarter of the slots, and as many as the room of a small simulation, stay free.
TEST(SlotPlan, LeavesRoomForGrowth) {
    const SlotCounts slots{4096, 1024};
    for (std::uint32_t flow = 2; flow <= slots.flow; flow += 17) {
        for (const std::uint32_t smoke : {2u, 256u, 512u, 520u, 1024u}) {
            SlotPlan plan(slots, {{8, used(flow, smoke)}});
            const SlotCounts wanted = plan.wanted(24);
            for (const auto& [have, in, want] : {std::array{slots.flow, flow, wanted.flow}, {slots.smoke, smoke, wanted.smoke}}) {
                const bool isNearlyFull = in + 256 > have / 4 * 3;
                EXPECT_EQ(want, isNearlyFull ? in + in / 2 + 512 : have) << in << " of " << have;
                EXPECT_GE(want, have);
            }
        }
    }
}

TEST(SlotPlan, StaysIfNothingIsKnown) {
    SlotPlan plan({128, 128}, {{8, used(0, 0)}});
    EXPECT_EQ(plan.wanted(24), (SlotCounts{128, 128})) << "the frame has not run";
    EXPECT_THAT(plan.uses(), testing::IsEmpty());
    plan.setSlots({256, 384});
    EXPECT_EQ(plan.wanted(25), (SlotCounts{256, 384}));
}

}  // namespace
}  // namespace wisp
