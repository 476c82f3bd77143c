// SPDX-License-Identifier: MIT
// Edge cases of lights, cameras and settings, in both render modes: the image must be right.
#include "tests/physics/simulation.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

constexpr double kSigmas = 4.0;  // a correct estimate is farther off once in 16,000 cases, and the seeds are fixed

class LightHardPlaces : public PhysicsTest, public testing::WithParamInterface<RenderMode> {
protected:
    [[nodiscard]] bool path() const { return GetParam() == RenderMode::Path; }
    /// A cube of 1 m, filled with smoke of density 1, without light. Cell centres of the light volume lie at odd multiples of 1/16 m.
    Settings cube() {
        Settings s = stillBox({16, 16, 16}, 0.0625f);
        s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.5f), 0.0f, glm::vec3(1.0f)}, .density = 1.0f});
        s.medium = {.extinction = 2.0f, .albedo = glm::vec3(0.8f), .octaves = 1};
        s.medium.phase = {.g = 0.0f, .gBack = 0.0f, .blend = 0.0f};
        s.environment.colour = glm::vec3(0.0f);
        s.camera = {.eye = {0.5f, 0.5f, 3.0f}, .target = {0.5f, 0.5f, 0.0f}, .fov = 0.5f};
        s.render.mode = GetParam();
        s.render.bounces = 1;
        s.render.size = {16, 16};
        return s;
    }
    Field draw(const Settings& s, std::uint32_t samples = 1) {
        Simulation simulation(device(), s);
        if (path()) error = simulation.trace(samples).error;
        else simulation.draw();
        const Field picture = fieldOf(path() ? simulation.renderer.path()->mean() : simulation.renderer.radiance());
        for (const dvec4& c : picture.values())
            for (int n = 0; n < 4; ++n) EXPECT_TRUE(std::isfinite(c[n]) && c[n] >= 0.0) << c[n];
        return picture;
    }
    double error = 0.0;  ///< relative error of the mean of the last image
    static double mean(const Field& picture) {
        double sum = 0.0;
        for (const dvec4& c : picture.values()) sum += c.x / static_cast<double>(picture.count());
        return sum;
    }
};
INSTANTIATE_TEST_SUITE_P(Modes, LightHardPlaces, testing::Values(RenderMode::Raymarch, RenderMode::Path));

/// Path mode counts the bricks that it has crossed.
class RaymarchHardPlaces : public LightHardPlaces {};
INSTANTIATE_TEST_SUITE_P(Modes, RaymarchHardPlaces, testing::Values(RenderMode::Raymarch));

// Rays along a side of a brick, which they cross in the empty part of the box before the smoke. There they are rounded to either side of
// it.
TEST_P(RaymarchHardPlaces, RaysAlongTheSideOfABrick) {
    Settings s = cube();
    s.grid.cells = {32, 32, 160};  // 5 m without smoke: 1000 times the least progress of a ray in 15 bricks
    s.grid.size = glm::vec3(s.grid.cells) / 24.0f;
    s.grid.origin = {-1.3f, -0.3f, -1.0f};
    s.initial[0].shape.centre = {0.0f, 0.0f, -1.0f - 1.0f / 3.0f};
    s.environment.colour = glm::vec3(1.0f);
    s.medium.albedo = glm::vec3(0.0f);
    s.camera.fov = 0.0174533f;
    s.render.size = {15, 15};  // the column in the middle looks along the side
    Simulation simulation(device(), s);
    const double exact = std::exp(-double(s.medium.extinction) * 2.0 / 3.0);
    const auto look = [&](double beside, double across) {
        CameraSettings camera = s.camera;
        camera.eye = {-0.3f + static_cast<float>(beside), 0.2f, 8.0f};
        camera.target = camera.eye + glm::vec3(8.0 * across, 0.0, -8.0);
        simulation.renderer.setCamera(camera);
        simulation.draw();
        const Field picture = fieldOf(simulation.renderer.radiance());
        for (const dvec4& c : picture.values()) EXPECT_NEAR(c.x, exact, 0.02) << beside << " " << across;  // smoke ends within a cell
    };
    for (const double across : {-5e-6, -4e-6, -3e-6, -2e-6, 2e-6, 3e-6, 4e-6, 5e-6})
        for (const double depth : {7.7, 7.8, 7.9, 8.0, 8.1, 8.2, 8.3}) look(-across * depth, across);
    for (const double across : {-6e-8, -3e-8, -1.5e-8, 1.5e-8, 3e-8, 6e-8})
        for (int ulps = -4; ulps <= 4; ++ulps) look(ulps * 0x1p-25, across);
}

TEST_P(LightHardPlaces, CameraInsideSmokeSeesTheRightTransmittance) {
    // From the centre, 0.5 m to the side, in any direction including straight up and down.
    Settings s = cube();
    s.environment.colour = glm::vec3(1.0f);
    s.medium.albedo = glm::vec3(0.0f);
    s.camera.eye = glm::vec3(0.5f);
    s.camera.fov = 0.0174533f;
    for (const glm::vec3 ahead : {glm::vec3(0, 0, -1), glm::vec3(0, 1, 0), glm::vec3(0, -1, 0), glm::vec3(1, 0, 0), glm::vec3(0, 1e-30f, 0),
                                  glm::vec3(-1e6f, 0, 0)}) {
        s.camera.target = s.camera.eye + ahead;
        if (s.camera.target == s.camera.eye) {  // too small a difference for floats: look from the corner
            s.camera.eye = glm::vec3(0.0f);
            s.camera.target = {1e-30f, 1e-30f, 1e-30f};
        }
        const double way = s.camera.eye == glm::vec3(0.0f) ? std::sqrt(3.0) : 0.5;
        // At the edge of the image the side is 4e-5 farther away. From the corner the distance is shorter by up to half a degree. Raymarch
        // stores 16-bit floats (truncated). Path tracing has the noise of 4096 samples, each of which is 0 or 1.
        const double exact = std::exp(-2.0 * way), noise = path() ? kSigmas * std::sqrt(exact * (1.0 - exact) / 4096.0) : exact / 1024.0;
        EXPECT_NEAR(mean(draw(s, 16)), exact, noise + 2.0 * exact * way * (way > 1.0 ? 0.0123 : 4e-5))
            << ahead.x << " " << ahead.y << " " << ahead.z;
        s.camera.eye = glm::vec3(0.5f);
    }
}

TEST_P(LightHardPlaces, CameraInsideAnObstacleSeesNothing) {
    for (const ShapeKind kind : {ShapeKind::Sphere, ShapeKind::Box, ShapeKind::Capsule}) {
        Settings s = cube();
        s.environment.colour = glm::vec3(1.0f);
        s.lights.push_back({.direction = {0.0f, -1.0f, 0.0f}});
        s.obstacles.push_back({.shape = {kind, {0.5f, 0.5f, 0.5f}, 0.2f, glm::vec3(0.1f)}});
        s.camera.eye = {0.52f, 0.45f, 0.5f};
        EXPECT_EQ(mean(draw(s, 2)), 0.0) << static_cast<int>(kind);
    }
}

TEST_P(LightHardPlaces, LightInsideAnObstacleLightsNothing) {
    for (const LightKind kind : {LightKind::Point, LightKind::Spot}) {
        Settings s = cube();
        s.environment.ground = true;
        s.obstacles.push_back({.shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 0.2f}});
        s.lights.push_back({.kind = kind, .direction = {0.0f, 0.0f, 1.0f}, .position = {0.5625f, 0.5625f, 0.5625f}, .intensity = 100.0f});
        for (const Shadows shadows : {Shadows::Volume, Shadows::March}) {
            s.render.shadows = shadows;
            EXPECT_EQ(mean(draw(s, 8)), 0.0);
        }
    }
}

TEST_P(LightHardPlaces, LightInAClosedRoomLightsOnlyTheRoom) {
    // Six plates around a room of 0.5 m.
    Settings s = cube();
    for (int axis = 0; axis < 3; ++axis)
        for (const float side : {-1.0f, 1.0f}) {
            Shape plate{ShapeKind::Box, glm::vec3(0.5f), 0.0f, glm::vec3(0.375f)};
            plate.centre[axis] += side * 0.3125f;
            plate.half[axis] = 0.0625f;
            s.obstacles.push_back({.shape = plate});
        }
    s.lights.push_back({.kind = LightKind::Point, .position = glm::vec3(0.5625f), .intensity = 10.0f});
    for (const Shadows shadows : {Shadows::Volume, Shadows::March}) {
        s.render.shadows = shadows;
        s.camera.eye = {0.5f, 0.5f, 3.0f};
        EXPECT_EQ(mean(draw(s, 8)), 0.0);
        s.camera.eye = {0.4f, 0.5f, 0.7f};
        const Field inside = draw(s, 8);
        for (const dvec4& c : inside.values()) EXPECT_GT(c.x, 0.0);
    }
}

// Every sample of the centre column and a cell of the light volume have the same position as the point light.
TEST_P(LightHardPlaces, LightInsideSmokeHasTheRightGlow) {
    // Seen from 3 m along z at a distance b from the light, single scattering: albedo sigma / 4 pi I times the integral along the ray of
    // exp(-sigma (distance to the eye + distance to the light)) / r^2.
    Settings s = cube();
    s.lights.push_back({.kind = LightKind::Point, .position = glm::vec3(0.5625f), .intensity = 3.0f});
    s.render.shadows = Shadows::March;
    s.render.size = {8, 8};
    s.camera.fov = 0.0174533f;
    s.render.step = 1.0f / 96;
    s.render.antialias = false;
    for (const float b : {0.0f, 0.09f, 0.25f}) {
        s.camera.eye = {0.5625f - b, 0.5625f, 3.0f};
        s.camera.target = {0.5625f - b, 0.5625f, 0.0f};
        if (b == 0.0f) s.render.size = {1, 1};
        const Field picture = draw(s, 256);  // draw() checks that the image is finite
        EXPECT_GT(mean(picture), 0.0);
        s.render.size = {8, 8};
        if (b < 0.05f) continue;  // the integral diverges through the light
        double exact = 0.0;
        constexpr int kSteps = 20000;
        const double half = std::tan(0.5 * double(s.camera.fov));
        for (int x = 0; x < 8; ++x)
            for (int y = 0; y < 8; ++y) {
                const dvec3 d = glm::normalize(dvec3(half * ((x + 0.5) / 4.0 - 1.0), half * (1.0 - (y + 0.5) / 4.0), -1.0)),
                            eye(s.camera.eye);
                const double enter = -2.0 / d.z, leave = -3.0 / d.z, step = (leave - enter) / kSteps;
                for (int i = 0; i < kSteps; ++i) {
                    const double t = enter + (i + 0.5) * step, r = glm::length(eye + t * d - dvec3(s.lights[0].position));
                    exact += 0.8 * 2.0 / (4.0 * M_PI) * 3.0 * std::exp(-2.0 * (t - enter + r)) / (r * r) * step / 64.0;
                }
            }
        // Raymarch uses the midpoint rule. The second derivative of the peak is 2 / b^2 of its value, so the relative error is (1 / 96 /
        // b)^2 / 12. The steps start at random offsets, so the mean of 64 pixels is better. Where the smoke begins, the first step has an
        // optical depth of 1/48. Its square is added, and rounding to 16-bit floats.
        const double allowed = path() ? kSigmas * error : std::pow(1.0 / 96.0 / double(b), 2.0) / 12.0 + 1.0 / 2304.0 + 1.0 / 1024.0;
        EXPECT_LT(path() ? error : 0.0, 0.1);
        EXPECT_NEAR(mean(picture) / exact, 1.0, allowed) << b;
    }
    // With shadows from the light volume, the light is at the centre of a cell. The result must be the same as with the light 1e-6 m beside
    // it, at least 4 cm from the nearest ray.
    s.render.shadows = Shadows::Volume;
    s.camera = {.eye = {0.5625f, 0.5625f, 3.0f}, .target = {0.5625f, 0.5625f, 0.0f}, .fov = 0.5f};
    s.render.size = {16, 16};
    const double there = mean(draw(s, 16));
    s.lights[0].position.x += 1e-6f;
    const double beside = mean(draw(s, 16));  // path mode uses the same random numbers
    EXPECT_NEAR(there / beside, 1.0, 1e-3);
}

TEST_P(LightHardPlaces, ZeroExtinctionHasNoEffect) {
    Settings s = cube();
    s.environment.colour = glm::vec3(0.25f);
    s.medium.extinction = 0.0f;
    s.medium.emission = glm::vec3(10.0f);
    s.lights.push_back({.direction = {0.0f, -1.0f, 0.0f}, .intensity = 1e6f});
    s.render.size = {1, 1};
    const Field picture = draw(s, 4);
    EXPECT_FLOAT_EQ(static_cast<float>(picture({0, 0, 0}).x), 0.25f);
    EXPECT_EQ(picture({0, 0, 0}).w, 0.0);
}

TEST_P(LightHardPlaces, DensestSmokeIsOpaque) {
    // A wall of smoke scatters all light at its surface. The lit side is visible.
    Settings s = cube();
    s.medium.extinction = 1e6f;
    s.medium.albedo = glm::vec3(1.0f);
    s.environment.colour = glm::vec3(1.0f);
    const Field picture = draw(s, 4);
    for (const dvec4& c : picture.values()) EXPECT_LE(c.x, 1.0 + 1e-3);
    s.medium.albedo = glm::vec3(0.0f);
    const Field dark = draw(s, 4);
    EXPECT_EQ(dark({8, 8, 0}).x, 0.0);
    EXPECT_EQ(dark({8, 8, 0}).w, 1.0);
}

// The narrowest lobes that floats can represent, looking straight into the light and straight away from it, with the brightest lights.
TEST_P(LightHardPlaces, TheNarrowestLobesAndTheBrightestLightsAreFinite) {
    for (const float g : {0.9999f, 0.99999994f, -0.99999994f})
        for (const float z : {1.0f, -1.0f}) {
            constexpr float power = 1e6f;
            Settings s = cube();
            s.medium.phase = {.g = g, .gBack = -g, .blend = 0.5f};
            s.medium.octaves = 8;
            s.lights.push_back({.direction = {0.0f, 0.0f, z}, .colour = glm::vec3(power), .intensity = power});
            s.lights.push_back({.kind = LightKind::Spot,
                                .direction = {0, 0, z},
                                .position = {0.5f, 0.5f, 0.5625f},
                                .colour = glm::vec3(power),
                                .intensity = power});
            s.lights.back().angle = 0.00175f;
            s.lights.back().softness = 0.0f;
            s.environment.colour = glm::vec3(power);
            s.environment.intensity = power;
            s.render.size = {5, 5};  // the centre pixel looks straight along z
            s.render.antialias = false;
            s.render.bounces = 0;
            Simulation simulation(device(), s);
            simulation.draw(path() ? 4 : 1);
            const Field picture = fieldOf(path() ? simulation.renderer.path()->mean() : simulation.renderer.radiance());
            for (const dvec4& c : picture.values())
                EXPECT_FALSE(std::isnan(c.x) || std::isnan(c.y) || std::isnan(c.z) || std::isnan(c.w)) << g << " " << z << " " << power;
        }
}

TEST_P(LightHardPlaces, NarrowLobesAreRight) {
    // The view is straight into the sun through thin smoke: phase(1) = (1 + g) / (4 pi (1 - g)^2). The cosine has a float's error of 6e-8,
    // relative to (1 - g)^2 / 2.
    for (const float g : {0.9f, 0.99f, 0.999f}) {
        Settings s = cube();
        s.medium.extinction = 0.01f;
        s.medium.albedo = glm::vec3(1.0f);
        s.medium.phase = {.g = g, .gBack = 0.0f, .blend = 0.0f};
        s.lights.push_back({.direction = {0.0f, 0.0f, 1.0f}, .intensity = 1e-3f});
        s.render.size = {1, 1};
        s.render.antialias = false;
        s.render.shadows = Shadows::March;
        const double gap = 1.0 - double(g), exact = (1.0 + double(g)) / (4.0 * M_PI * gap * gap) * 1e-3 * 0.01 * std::exp(-0.01);
        const double seen = path() ? mean(draw(s, 1)) : mean(draw(s));
        if (path()) continue;  // one path in a hundred meets the smoke, so this only checks for finite values
        EXPECT_NEAR(seen / exact, 1.0, 1.5 * 2.0 * 6e-8 / (gap * gap) + 1e-3) << g;
    }
}

TEST_P(LightHardPlaces, OnePixelAndOneRow) {
    Settings s = cube();
    s.environment.colour = glm::vec3(1.0f);
    s.medium.albedo = glm::vec3(0.0f);
    s.camera.fov = 0.0174533f;
    const double exact = std::exp(-2.0);
    for (const glm::uvec2 size : {glm::uvec2(1, 1), glm::uvec2(1, 300), glm::uvec2(3, 1)}) {
        s.render.size = size;
        const std::uint32_t samples = 512 / (size.x * size.y);
        const double seen = mean(draw(s, samples)), paths = static_cast<double>(samples * size.x * size.y);
        EXPECT_NEAR(seen, exact, (path() ? kSigmas * std::sqrt(exact / paths) : exact / 1024.0) + exact * 2e-3) << size.x << "x" << size.y;
    }
}

}  // namespace
}  // namespace wisp::test
