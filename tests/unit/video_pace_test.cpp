// SPDX-License-Identifier: MIT
#include "app/live/video_recording.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wisp::app {
namespace {

TEST(VideoPace, IsSteadyInSimulatedTime) {
    for (const double dt : {1.0 / 120, 1.0 / 64, 1.0 / 300}) {
        for (const double speed : {1.0, 0.25}) {
            VideoPace pace;
            double time = 0.3;
            std::uint32_t frames = pace.advance(time, speed);
            EXPECT_EQ(frames, 1u) << "the first frame is due immediately";
            for (int picture = 0; time < 2.3 - 1e-9; ++picture) {
                const std::uint32_t most = pace.stepsToNext(dt, speed);
                time += dt * (picture % 2 == 0 ? 1u : most);  // a slow machine makes one step per image, and sometimes the maximum
                const std::uint32_t due = pace.advance(time, speed);
                EXPECT_LE(due, std::ceil(dt * 60.0 / speed - 1e-9)) << "at most one frame, unless a step is longer than a frame";
                frames += due;
            }
            EXPECT_NEAR(frames, 1.0 + 2.0 * 60.0 / speed, 2.0) << dt << " " << speed;
        }
    }
}

TEST(VideoPace, RepeatsPicturesOfLongSteps) {
    VideoPace pace;
    EXPECT_EQ(pace.advance(0.0, 1.0), 1u);
    EXPECT_EQ(pace.stepsToNext(0.1, 1.0), 1u);
    EXPECT_EQ(pace.advance(0.1, 1.0), 6u);
    EXPECT_EQ(pace.advance(0.1, 1.0), 0u) << "the simulation is paused";
    EXPECT_EQ(pace.advance(0.0, 1.0), 0u) << "the simulation starts again";
    EXPECT_EQ(pace.advance(1.0 / 60, 1.0), 1u);
}

}  // namespace
}  // namespace wisp::app
