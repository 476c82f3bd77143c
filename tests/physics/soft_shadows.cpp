// SPDX-License-Identifier: MIT
// Shadows of lights with a size.
#include "tests/physics/simulation.h"

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

class SoftShadows : public PhysicsTest {
protected:
    // A ball above a white ground, in clear air, seen from above.
    static Settings ball(LightSettings light) {
        Settings s = stillBox(glm::uvec3(16), 1.0f / 16.0f);
        s.obstacles.push_back({.shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 0.2f}});
        s.environment = {.colour = glm::vec3(0.0f), .ground = true};
        s.render.groundColour = glm::vec3(1.0f);
        s.medium.octaves = 1;  // no light from the ground, as with paths of one bounce
        s.lights.push_back(light);
        s.camera = {.eye = {2.0f, 1.6f, 0.5f}, .target = {0.45f, 0.0f, 0.5f}, .fov = 0.5f};
        s.render.size = {32, 24};
        return s;
    }
};

// Half of the sun's width w is 5 degrees. The ball has an angular radius of 0.2 / 0.5. The renderer treats its edge as straight. It curves
// by w / (8 * 0.4) = 0.055 of the diameter of the light's disc. Sphere tracing finds the closest point up to its last step, half a width: w
// t / (8 R) = 0.055 of the width, at t = 0.5 m. Both errors occur at single pixels and are one-sided. The error of the whole shadow is
// their mean over the penumbra, which is 1/6 as wide as the shadow's edge is long.
TEST_F(SoftShadows, MatchPathTracing) {
    const LightSettings sun{.direction = {-0.15f, -1.0f, 0.1f}, .intensity = 3.0f, .size = 0.1745f};
    const LightSettings lamp{.kind = LightKind::Point, .position = {0.7f, 1.7f, 0.4f}, .intensity = 4.0f, .size = 0.2f};
    for (const LightSettings& light : {sun, lamp}) {
        Settings s = ball(light);
        const Field soft = pictureOf(s);
        s.lights[0].size = 0.0f;
        const Field hard = pictureOf(s);
        s.lights[0].size = light.size;
        s.render.mode = RenderMode::Path;
        s.render.bounces = 1;
        Simulation simulation(device(), s);
        constexpr std::uint32_t kPaths = 400;
        simulation.trace(kPaths);
        const Field traced = fieldOf(simulation.renderer.path()->mean());
        double brightest = 0.0, softSum = 0.0, tracedSum = 0.0, wide = 0.0;
        for (const dvec4& c : traced.values()) brightest = std::max(brightest, c.x);
        forEach(soft.size(), [&](ivec3 p) {
            if (p.y < 8) return;                                                // the ball itself, and the ground behind it
            const double noise = 0.5 / std::sqrt(static_cast<double>(kPaths));  // at most, for a share
            EXPECT_NEAR(soft(p).x / brightest, traced(p).x / brightest, 0.11 + 4.0 * noise) << p.x << ", " << p.y;
            softSum += soft(p).x;
            tracedSum += traced(p).x;
            wide = std::max(wide, std::abs(soft(p).x - hard(p).x) / brightest);
        });
        EXPECT_NEAR(softSum / tracedSum, 1.0, 0.11 / 6.0);
        EXPECT_GT(wide, 0.2);
    }
}

}  // namespace
}  // namespace wisp::test
