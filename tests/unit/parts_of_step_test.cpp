// SPDX-License-Identifier: MIT
#include "compute/scene/parts_of_step.h"

#include "compute/scene/validate.h"

#include <gmock/gmock.h>

#include <cmath>

namespace wisp {
namespace {

using testing::HasSubstr;

/// Cells of 1/32 m. Water falls at most 1 m, with at most 4.43 m/s.
Settings waterBox(float step) {
    Settings s;
    s.grid.cells = glm::uvec3(32);
    s.grid.size = glm::vec3(1.0f);
    s.grid.pressureRatio = 1;
    s.timeStep = step;
    s.initial.push_back({.shape = {.kind = ShapeKind::Box, .centre = glm::vec3(0.25f), .half = glm::vec3(0.25f)}, .liquid = true});
    return s;
}

// (sqrt(v^2 + 2 g H) + sqrt(3 g h)) dt / (3 h)
double wanted(double v, double step) {
    const double h = 1.0 / 32, g = 9.81;
    return std::ceil((std::sqrt(v * v + 2.0 * g) + std::sqrt(3.0 * g * h)) * step / (3.0 * h));
}

TEST(PartsOfStep, FollowGravityAndAllThatMovesALiquid) {
    EXPECT_EQ(partsOfStep(waterBox(1.0f / 120), 0.0), 1u);
    for (const float step : {0.1f, 0.5f, 1.0f}) {
        const Settings s = waterBox(step);
        EXPECT_EQ(partsOfStep(s, 0.0), wanted(0.0, double(step)));
        Settings weightless = s;
        weightless.flow.gravity = glm::vec3(0.0f);
        EXPECT_EQ(partsOfStep(weightless, 0.0), 1u);
        std::vector<Settings> fast(4, s);  // 20 m/s each
        fast[0].initial[0].velocity = {0.0f, 20.0f, 0.0f};
        EmitterSettings jet{.velocity = {0.0f, 12.0f, 16.0f}, .hasVelocity = true};
        jet.liquid = true;
        fast[1].emitters.push_back(jet);
        fast[2].obstacles.push_back({.velocity = {20.0f, 0.0f, 0.0f}});
        fast[3].obstacles.push_back({.keys = {{0.0f, glm::vec3(0.0f)}, {2.0f, {40.0f, 0.0f, 0.0f}}}});
        for (const Settings& f : fast) EXPECT_EQ(partsOfStep(f, 0.0), wanted(20.0, double(step)));
        EXPECT_EQ(partsOfStep(s, 0.0, std::vector{jet}), wanted(20.0, double(step))) << "the user's brush";
        fast[2].obstacles[0].velocity = glm::vec3(0.0f);
        EXPECT_EQ(partsOfStep(fast[2], 0.0), wanted(0.0, double(step)));
        EXPECT_EQ(partsOfStep(fast[2], 0.0, {}, {{0, {glm::vec3(0.0f), {20.0f * step, 0.0f, 0.0f}}}}), wanted(20.0, double(step)));
        Settings smoke = s;
        smoke.initial[0].liquid = false;
        EXPECT_EQ(partsOfStep(smoke, 0.0), 1u);
    }
}

// A step of more parts than kMostParts is an error that names a step which is allowed.
TEST(PartsOfStep, AreLimited) {
    Settings s = waterBox(1.0f);
    EXPECT_TRUE(validate(s).empty());
    s.flow.gravity.y = -1e4f;
    ASSERT_EQ(validate(s).size(), 1u);
    EXPECT_EQ(validate(s)[0].key, "time.step");
    EXPECT_THAT(validate(s)[0].message, HasSubstr("must be at most 0.138 s"));
    EXPECT_EQ(partsOfStep(s, 0.0), kMostParts);
    s.timeStep = 0.138f;
    EXPECT_TRUE(validate(s).empty());
}

}  // namespace
}  // namespace wisp
