// SPDX-License-Identifier: MIT
// Light that comes up from the ground, against path tracing: what the camera sees is lit by nothing else, or by the sun and that.
#include "tests/physics/simulation.h"

#include <fmt/format.h>

#include <cmath>

namespace wisp::test {
namespace {

class GroundLightTest : public PhysicsTest {
protected:
    // A bright ground under a high sun, in black surroundings; the camera looks up from just above the ground at a ball, or a puff, and
    // sees nothing of the ground.
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
    // Of the pixels that show the ball or dense smoke. The noise of the paths, told by two pictures of them, is taken off.
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

// Five directions stand for all that go down, and shadows on the ground are as soft as the light volume's cells: a picture as good as wisp
// promises of what lights itself.
TEST_F(GroundLightTest, LightsABallFromBelow) {
    const Compared c = compared(scene(true));
    const std::string what = fmt::format("mean {:.3f} rms {:.3f} darkest {:.3f}", c.mean, c.rms, c.darkest);
    EXPECT_NEAR(c.mean, 1.0, 0.1) << what;
    EXPECT_LT(c.rms, 0.25) << what;
    EXPECT_GT(c.darkest, 0.1) << what;  // no black undersides
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
