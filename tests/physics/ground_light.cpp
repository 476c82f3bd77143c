// SPDX-License-Identifier: MIT
// Light reflected by the ground, against path tracing. The camera sees surfaces lit only by the ground, or by the sun and the ground.
#include "tests/physics/simulation.h"

#include <fmt/format.h>

#include <cmath>

namespace wisp::test {
namespace {

class GroundLightTest : public PhysicsTest {
protected:
    // A bright ground under a high sun, in a black environment. The camera is just above the ground and looks up at a ball or a puff. The
    // ground is not visible.
    static Settings scene(bool ball) {
        Settings s = stillBox({32, 32, 32}, 1.0f / 32);
        s.initial.push_back({.field = InitialField::Gaussian, .shape = {.centre = {0.5f, 0.55f, 0.5f}, .radius = 0.16f}, .density = 1.0f});
        s.medium.extinction = ball ? 1e-3f : 12.0f;
        s.medium.albedo = glm::vec3(0.9f);
        s.medium.phase = {.g = 0.4f, .gBack = 0.0f, .blend = 0.0f};
        if (ball) s.obstacles.push_back({.shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 0.15f}});
        s.lights.push_back({.direction = {0.3f, -1.0f, 0.2f}, .intensity = 3.0f});
        s.environment = {.colour = glm::vec3(0.0f), .ground = true};
        s.render.groundColour = glm::vec3(0.8f);
        s.render.obstacleColour = glm::vec3(0.8f);
        s.camera = {.eye = {0.5f, 0.02f, 1.9f}, .target = {0.5f, 0.5f, 0.5f}, .fov = 0.3f};
        s.render.size = {24, 24};
        s.render.antialias = false;
        return s;
    }
    struct Compared {
        double mean, rms, darkest;
    };
    // Statistics of the pixels that show the ball or dense smoke. The noise of path tracing is estimated from two traced images and
    // subtracted.
    Compared compared(Settings s) {
        const Field marched = pictureOf(s);
        const std::array<Field, 2> traced = tracedTwice(s, 150);
        double m = 0.0, t = 0.0, squares = 0.0, darkest = 1e9;
        int count = 0;
        for (std::size_t i = 0; i < marched.count(); ++i) {
            if (marched.values()[i].w < 0.3) continue;
            const double a = traced[0].values()[i].y, b = traced[1].values()[i].y, L = marched.values()[i].y;
            m += L;
            t += 0.5 * (a + b);
            squares += std::pow(L - 0.5 * (a + b), 2.0) - std::pow(0.5 * (a - b), 2.0);
            darkest = std::min(darkest, L);
            ++count;
        }
        EXPECT_GT(count, 100);
        return {m / t, std::sqrt(std::max(squares, 0.0) / count) / (t / count), darkest / (t / count)};
    }
};

// Raymarch uses five directions for all light from below, and shadows on the ground are blurred by cells of the light volume. The bounds
// are the documented ones for light between objects.
TEST_F(GroundLightTest, LightsABallFromBelow) {
    const Compared c = compared(scene(true));
    const std::string what = fmt::format("mean {:.3f} rms {:.3f} darkest {:.3f}", c.mean, c.rms, c.darkest);
    EXPECT_NEAR(c.mean, 1.0, 0.1) << what;
    EXPECT_LT(c.rms, 0.25) << what;
    EXPECT_GT(c.darkest, 0.1) << what;  // the underside is not black
    RecordProperty("compared", what);
}

TEST_F(GroundLightTest, LightsSmokeFromBelow) {
    const Compared c = compared(scene(false));
    const std::string what = fmt::format("mean {:.3f} rms {:.3f} darkest {:.3f}", c.mean, c.rms, c.darkest);
    EXPECT_NEAR(c.mean, 1.0, 0.1) << what;
    EXPECT_LT(c.rms, 0.25) << what;
    RecordProperty("compared", what);
}

}  // namespace
}  // namespace wisp::test
