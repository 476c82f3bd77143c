// SPDX-License-Identifier: MIT
// Light in smoke of uniform density, compared with exact values.
#include "tests/physics/simulation.h"
#include "tests/support/verification.h"

#include <cmath>
#include <fmt/format.h>

namespace wisp::test {
namespace {

constexpr float kExtinction = 2.0f;  // [1/m]; the slab is 1 m deep along the view

// A cube of smoke of density 1. A camera of one pixel at height `y` looks along -z.
Settings slab(float y) {
    Settings s = stillBox({16, 16, 16}, 0.0625f);
    s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.5f), 0.0f, glm::vec3(1.0f)}, .density = 1.0f});
    s.camera.eye = {0.5f, y, 3.0f};
    s.camera.target = {0.5f, y, 0.0f};
    s.render.size = {1, 1};
    s.render.antialias = false;  // one ray, not the mean over a pixel as wide as the slab
    s.medium.extinction = kExtinction;
    s.medium.octaves = 1;
    s.environment.colour = glm::vec3(0.0f);
    return s;
}

double henyeyGreenstein(double cosine, double g) { return (1.0 - g * g) / (4.0 * M_PI * std::pow(1.0 + g * g - 2.0 * g * cosine, 1.5)); }

class LightSlab : public PhysicsTest {};

TEST_F(LightSlab, TransmitsLikeBeerAndLambertWithAnyStep) {
    Settings s = slab(0.5f);
    s.medium.albedo = glm::vec3(0.0f);
    s.environment.colour = glm::vec3(1.0f);
    double transmitted = 0.0, opacity = 0.0;
    for (const int steps : {16, 40, 128, 512}) {
        s.render.step = 1.0f / static_cast<float>(steps);
        const dvec4 pixel = pictureOf(s)({0, 0, 0});
        transmitted = std::max(transmitted, std::abs(pixel.x - std::exp(-double(kExtinction))));
        opacity = std::max(opacity, std::abs(pixel.w - (1.0 - std::exp(-double(kExtinction)))));
    }
    // Error of 16-bit float storage: one unit in the last place, 2^-13 of 0.135 and 2^-11 of 0.865. PassRaymarch in tests/gpu checks 32-bit
    // floats.
    expectAtMost(Row::Slab, "image with 16-bit floats, tau 2, 16 to 512 steps, largest error", transmitted, 1.25e-4);
    EXPECT_LE(opacity, 5e-4);
}

TEST_F(LightSlab, EmitsLikeItsEnvironment) {
    // Smoke with emission 1 in an environment of radiance 1 has radiance 1, at any optical depth.
    Settings s = slab(0.5f);
    s.medium.albedo = glm::vec3(0.0f);
    s.medium.emission = s.environment.colour = glm::vec3(1.0f);
    EXPECT_NEAR(pictureOf(s)({0, 0, 0}).x, 1.0, 1e-3);  // 16-bit floats, truncated: 2^-11. PassRaymarch in tests/gpu checks 32-bit floats.
}

TEST_F(LightSlab, ScattersOnce) {
    // The sun shines straight down. The camera looks across, at the depth 1 - y. The heights are centres of light volume cells of 1/8 m.
    // Between centres the light is interpolated with an error of (extinction / 8)^2 / 8 = 0.8 %.
    for (const float y : {0.4375f, 0.8125f}) {
        Settings s = slab(y);
        s.medium.albedo = glm::vec3(0.8f);
        s.medium.phase = {.g = 0.6f, .gBack = -0.2f, .blend = 0.25f};
        s.lights.push_back({.direction = {0.0f, -1.0f, 0.0f}, .intensity = 3.0f});
        const double phase = 0.75 * henyeyGreenstein(0.0, 0.6) + 0.25 * henyeyGreenstein(0.0, -0.2), sigma = double(kExtinction);
        const double exact = 0.8 * phase * 3.0 * std::exp(-sigma * (1.0 - double(y))) * (1.0 - std::exp(-sigma));
        const double error = std::abs(pictureOf(s)({0, 0, 0}).x / exact - 1.0);
        expectAtMost(Row::ScatteredAcross, fmt::format("raymarch, at a height of {:.3g}, relative error", y), error, 1e-3);
    }
}

// Along axes and diagonals, rays pass through cell centres, so nothing is interpolated. The doubling passes must sum up the optical depth
// to the side of the box.
TEST_F(LightSlab, DepthsAreExactInUniformSmoke) {
    Settings s = stillBox({60, 52, 44}, 0.03125f);
    s.initial.push_back({.shape = {ShapeKind::Box, 0.5f * s.grid.size, 0.0f, s.grid.size}, .density = 1.0f});
    s.medium.extinction = 0.5f;
    s.lights.push_back({.direction = {-1.0f, 0.0f, 0.0f}});
    s.lights.push_back({.direction = {0.0f, 0.0f, 1.0f}});
    // A plate behind the box. Diagonals to +z end at it.
    s.obstacles.push_back({.shape = {ShapeKind::Box, {0.9f, 0.8f, 2.0f}, 0.0f, {20.0f, 20.0f, 0.5f}}});
    Simulation simulation(device(), s);
    simulation.draw();
    const LightVolumes& volumes = *simulation.renderer.light();
    const Field light = fieldOf(volumes.light()), sky = fieldOf(volumes.sky());
    // With 16-bit floats the depth is rounded in each of at most six passes and when it is read: D exp(-D) < 0.37. The result is rounded,
    // too. For the lights, the stored root adds at most 2^-17.
    const double tolerance = 7.0 * 0.37 * std::exp2(-11.0) + 7.0 * std::exp2(-12.0);
    const double h = 2.0 * double(s.grid.cellSize());
    const auto through = [](double way) { return std::exp(-0.5 * way); };
    forEach(light.size(), [&](ivec3 c) {
        const dvec3 x = (dvec3(c) + 0.5) * h;
        EXPECT_NEAR(std::pow(light(c).x, 4.0), through(double(s.grid.size.x) - x.x), tolerance) << c.x << " " << c.y << " " << c.z;
        EXPECT_NEAR(std::pow(light(c).y, 4.0), through(x.z), tolerance) << c.x << " " << c.y << " " << c.z;
    });
    forEach(sky.size(), [&](ivec3 c) {
        const dvec3 x = (dvec3(c) + 0.5) * 2.0 * h, rest = dvec3(s.grid.size) - x;
        double mean = 0.0;
        for (const double left : {x.x, rest.x})
            for (const double down : {x.y, rest.y}) mean += through(std::sqrt(3.0) * std::min({left, down, x.z})) / 8.0;
        EXPECT_NEAR(sky(c).x, mean, tolerance) << c.x << " " << c.y << " " << c.z;
    });
}

// The sun is behind the smoke or behind the camera. Every sample marches towards the sun.
TEST_F(LightSlab, ScattersOnceAlongTheView) {
    for (const bool behind : {true, false}) {
        Settings s = slab(0.5f);
        s.medium.albedo = glm::vec3(0.8f);
        s.medium.phase = {.g = 0.6f, .gBack = -0.2f, .blend = 0.25f};
        s.lights.push_back({.direction = {0.0f, 0.0f, behind ? 1.0f : -1.0f}, .intensity = 3.0f});
        s.render.shadows = Shadows::March;
        s.render.step = 1.0f / 96;
        const double cosine = behind ? 1.0 : -1.0, sigma = double(kExtinction);
        const double phase = 0.75 * henyeyGreenstein(cosine, 0.6) + 0.25 * henyeyGreenstein(cosine, -0.2);
        const double through = behind ? sigma * std::exp(-sigma) : (1.0 - std::exp(-2.0 * sigma)) / 2.0;
        const double exact = 0.8 * phase * 3.0 * through;
        // A pixel takes all samples, and their light, at the same offset within a step. The error is up to half of the optical depth of a
        // step, sigma / 192 = 1 %. Offsets are uniform over many pixels, so the error of the mean is the square of that. Rounding to 16-bit
        // floats is added.
        s.render.size = {16, 16};
        s.camera.fov = 0.0174533f;
        double mean = 0.0;
        const Field picture = pictureOf(s);
        for (const dvec4& c : picture.values()) mean += c.x / 256.0;
        expectAtMost(behind ? Row::ScatteredFromBehind : Row::ScatteredFromCamera, "raymarch, relative error of the mean",
                     std::abs(mean / exact - 1.0), 1e-3);
    }
}

TEST_F(LightSlab, IsBrighterAgainstTheLight) {
    for (const float g : {0.6f, -0.6f}) {
        Settings s = slab(0.5f);
        s.medium.extinction = 0.1f;
        s.medium.albedo = glm::vec3(1.0f);
        s.medium.phase = {.g = g, .gBack = 0.0f, .blend = 0.0f};
        s.lights.push_back({.direction = {0.0f, 0.0f, 1.0f}});  // towards the camera
        const double against = pictureOf(s)({0, 0, 0}).x;
        s.lights[0].direction = {0.0f, 0.0f, -1.0f};
        const double with = pictureOf(s)({0, 0, 0}).x;
        // The smoke is thin, so the ratio is that of the phase functions, with an error of the depth 0.1.
        const double exact = henyeyGreenstein(1.0, double(g)) / henyeyGreenstein(-1.0, double(g));
        expectNear(Row::Phase, fmt::format("image, g {}, radiance looking towards the light over radiance looking away from it", g),
                   against / with, exact, 0.1 * exact);
    }
}

TEST_F(LightSlab, AnObstacleCastsAShadowIntoTheSmoke) {
    for (const bool obstacle : {false, true}) {
        Settings s = slab(0.1875f);
        s.medium.albedo = glm::vec3(1.0f);
        s.lights.push_back({.direction = {0.0f, -1.0f, 0.0f}});
        // A plate above the smoke shadows the whole line of sight, but hides nothing of it.
        if (obstacle) s.obstacles.push_back({.shape = {ShapeKind::Box, {0.5f, 0.7f, 0.5f}, 0.0f, {0.45f, 0.05f, 0.6f}}});
        const double seen = pictureOf(s)({0, 0, 0}).x;
        if (obstacle) EXPECT_EQ(seen, 0.0);
        else EXPECT_GT(seen, 0.01);
    }
}

// When only the camera moves, the lighting passes are skipped. When the smoke changes, they must run.
TEST_F(LightSlab, IsLitOnceForManyCameras) {
    Settings s = stillBox(glm::uvec3(24), 1.0f / 24.0f);
    s.initial.push_back({.shape = {.centre = glm::vec3(0.5f), .radius = 0.3f}, .density = 1.0f});
    s.lights.push_back({.direction = {0.4f, -1.0f, -0.3f}, .intensity = 3.0f});
    s.render.size = {48, 36};
    s.camera = {.eye = {0.5f, 0.5f, 2.5f}, .target = glm::vec3(0.5f)};
    Settings aside = s;
    aside.camera.eye = {2.0f, 1.2f, 1.5f};
    Settings thin = s;
    thin.initial[0].density = 0.1f;
    Simulation simulation(device(), s), other(device(), thin);
    const auto draw = [&](Simulation& of, bool sameSmoke) {
        simulation.recorder.begin();
        simulation.renderer.draw(simulation.recorder, of.simulator.fields(), 1, sameSmoke);
        simulation.recorder.submit();
        simulation.recorder.finish();
        return download(simulation.renderer.radiance());
    };
    draw(simulation, true);  // the first image always computes the light
    simulation.renderer.setCamera(aside.camera);
    const std::vector<float> moved = draw(simulation, true);
    Simulation fresh(device(), aside);
    fresh.draw();
    EXPECT_EQ(moved, download(fresh.renderer.radiance()));
    const std::vector<float> stale = draw(other, true);
    EXPECT_NE(stale, draw(other, false)) << "the light of the first smoke must not fit the other smoke";
}

}  // namespace
}  // namespace wisp::test
