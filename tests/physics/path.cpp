// SPDX-License-Identifier: MIT
// Path tracing compared with exact values.
#include "tests/physics/simulation.h"
#include "tests/reference/light.h"
#include "tests/support/verification.h"

#include <gmock/gmock.h>

#include <cmath>
#include <optional>

namespace wisp::test {
namespace {

constexpr double kSigmas = 4.0;  // a correct estimate is farther off once in 16,000 cases, and the seeds are fixed

// A cube of 1 m, filled with smoke of density 1, seen along -z by rays that are parallel up to 0.5 degrees, so a path is longer by up to
// 4e-5.
Settings cube(float edge = 1.0f) {
    Settings s = stillBox({16, 16, 16}, 0.0625f * edge);
    s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.5f * edge), 0.0f, glm::vec3(edge)}, .density = 1.0f});
    s.camera = {.eye = edge * glm::vec3(0.5f, 0.5f, 3.0f), .target = edge * glm::vec3(0.5f, 0.5f, 0.0f), .fov = 0.0174533f};
    s.render.mode = RenderMode::Path;
    s.render.size = {32, 32};
    s.medium.extinction = 2.0f / edge;
    s.environment.colour = glm::vec3(0.0f);
    return s;
}

double henyeyGreenstein(double cosine, double g) { return (1.0 - g * g) / (4.0 * M_PI * std::pow(1.0 + g * g - 2.0 * g * cosine, 1.5)); }

class PathTrace : public PhysicsTest {
protected:
    PathReport trace(const Settings& s, std::uint32_t samples) {
        Simulation simulation(device(), s);
        const PathReport report = simulation.trace(samples);
        EXPECT_EQ(report.samples, samples);
        EXPECT_EQ(report.cut, 0.0);
        return report;
    }
    /// The mean luminance must be `exact`, up to `relative` for the approximations of the test and up to the standard error of the
    /// estimate. At full size that error is a quarter.
    void expectMean(const Settings& s, std::uint32_t samples, double exact, double relative, std::optional<Row> row = std::nullopt) {
        const PathReport r = trace(s, sized(samples, 16 * samples));
        const double allowed = kSigmas * r.error * r.luminance + relative * exact;
        if (row) expectNear(*row, "path mode, mean", r.luminance, exact, allowed);
        else EXPECT_NEAR(r.luminance, exact, allowed);
        EXPECT_LT(r.error, 0.02) << "too noisy for this test";
    }
    PathReport expectWhite(const std::string& what, const Settings& s, std::uint32_t samples, double rounding) {
        const PathReport r = trace(s, sized(samples, 16 * samples));
        expectNear(Row::Furnace, what + ", mean within 3 standard errors", r.luminance, 1.0, 3.0 * r.error + rounding);
        return r;
    }
};

TEST_F(PathTrace, WhiteFurnaceIsWhite) {
    // Without absorption no path changes the radiance of the environment. Every sample is 1, unless the path has more than 256 segments.
    Settings s = cube();
    s.medium.extinction = 20.0f;
    s.medium.albedo = s.environment.colour = glm::vec3(1.0f);
    const PathReport smoke = expectWhite("smoke of depth 20", s, 8, 1e-6);
    EXPECT_GT(smoke.segments, 20.0 * smoke.samples * 32 * 32);
    s.obstacles.push_back({.shape = {.centre = {0.4f, 0.5f, 0.8f}, .radius = 0.3f}});
    s.environment.ground = true;
    s.render.obstacleColour = s.render.groundColour = glm::vec3(1.0f);
    s.camera.fov = 0.6f;
    expectWhite("smoke of depth 20, a sphere and a ground", s, 4, 1e-6);
    s.environment.groundRadius = 0.4f;
    expectWhite("smoke of depth 20, a sphere and a ground of finite radius", s, 4, 1e-6);
}

TEST_F(PathTrace, WhiteFurnaceOfLongPathsIsWhite) {
    // At a depth of 100 many paths have more than 256 segments, and end at random although nothing absorbs.
    Settings s = cube();
    s.render.size = {16, 16};
    s.medium.extinction = 100.0f;
    s.medium.albedo = s.environment.colour = glm::vec3(1.0f);
    EXPECT_GT(expectWhite("smoke of depth 100", s, 8, 0.0).error, 0.0);
}

TEST_F(PathTrace, EmitsLikeItsEnvironment) {
    Settings s = cube();
    s.medium.extinction = 5.0f;
    s.medium.albedo = glm::vec3(0.6f);
    s.medium.emission = s.environment.colour = glm::vec3(1.0f);
    const PathReport r = trace(s, sized(16u, 256u));
    EXPECT_GT(r.error, 0.0);
    expectNear(Row::Isothermal, "path mode, depth 5, albedo 0.6, mean within 3 standard errors", r.luminance, 1.0, 3.0 * r.error);
}

TEST_F(PathTrace, TransmitsLikeBeerAndLambert) {
    Settings s = cube();
    s.medium.albedo = glm::vec3(0.0f);
    s.environment.colour = glm::vec3(1.0f);
    expectMean(s, 32, std::exp(-2.0), 1e-4, Row::Slab);
}

TEST_F(PathTrace, TransmitsThroughAGradient) {
    // From the edge of a wide puff to its centre. The optical depths of the rays come from the density field.
    Settings s = cube();
    s.initial = {{.field = InitialField::Gaussian, .shape = {.centre = {0.5f, 0.9f, 0.3f}, .radius = 0.25f}, .density = 1.0f}};
    s.medium.extinction = 4.0f;
    s.medium.albedo = glm::vec3(0.0f);
    s.environment.colour = glm::vec3(1.0f);
    s.camera.fov = 0.3f;
    Simulation simulation(device(), s);
    const PathReport r = simulation.trace(32);
    Step step{};
    step.cells = {16, 16, 16};
    step.h = 0.0625f;
    View view{};
    view.extinction = 4.0f;
    const Field density = densityOf(simulation);
    double exact = 0.0;
    const double half = std::tan(0.15);
    forEach({32, 32, 1}, [&](ivec3 p) {
        const dvec3 d = glm::normalize(dvec3(half * ((p.x + 0.5) / 16.0 - 1.0), half * (1.0 - (p.y + 0.5) / 16.0), -1.0)),
                    eye(0.5, 0.5, 3.0);
        exact += transmittance(step, view, density, eye - 2.0 / d.z * d, d, 1e30, 1.0 / 256) / 1024.0;  // from z = 1, where the ray enters
    });
    EXPECT_GT(exact, 0.2);
    EXPECT_LT(exact, 0.8);
    // The hardware filter has an error of 3/512 of the largest difference of neighbours, 0.15, at a depth of up to 4. Using the pixel
    // centre has an error of second order.
    EXPECT_NEAR(r.luminance, exact, kSigmas * r.error * exact + 4.0 * 0.15 * 3.0 / 512.0 * exact + 1e-3);
}

TEST_F(PathTrace, LightsAFloorThroughSmoke) {
    // Smoke above, a plate below, the camera between them, and the sun straight above. The radiance of the plate is colour / pi * E *
    // exp(-depth), computed with ratio tracking. Interpolation does not change the depth of the 0.5 m of smoke.
    Settings s = cube();
    s.initial[0].shape = {ShapeKind::Box, {0.5f, 1.0f, 0.5f}, 0.0f, {1.0f, 0.5f, 1.0f}};
    s.obstacles.push_back({.shape = {ShapeKind::Box, {0.5f, 0.0f, 0.5f}, 0.0f, {0.6f, 0.1f, 0.6f}}});
    s.lights.push_back({.direction = {0.0f, -1.0f, 0.0f}, .intensity = 3.0f});
    s.camera = {.eye = {0.5f, 0.4f, 0.6f}, .target = {0.5f, 0.1f, 0.5f}, .fov = 0.3f};
    s.render.bounces = 1;
    for (const float extinction : {1.0f, 6.0f}) {  // with and without Russian roulette
        s.medium.extinction = extinction;
        expectMean(s, 48, 0.6 / M_PI * 3.0 * std::exp(-0.5 * double(extinction)), 1e-4);
    }
    // The ground in place of the plate is the same floor, lit through the whole box.
    s.obstacles.clear();
    s.environment.ground = true;
    s.render.groundColour = glm::vec3(0.3f);
    s.medium.extinction = 2.0f;
    expectMean(s, 32, 0.3 / M_PI * 3.0 * std::exp(-1.0), 1e-4);
}

// Single scattering in a slab: albedo 0.8, two lobes, a sun of 3 W/m^2.
class PathSlab : public PathTrace {
protected:
    Settings lit(glm::vec3 direction) {
        Settings s = cube();
        s.medium.albedo = glm::vec3(0.8f);
        s.medium.phase = {.g = 0.6f, .gBack = -0.2f, .blend = 0.25f};
        s.lights.push_back({.direction = direction, .intensity = 3.0f});
        s.render.bounces = 1;
        return s;
    }
    static double scattered(double cosine) {
        return 0.8 * 3.0 * (0.75 * henyeyGreenstein(cosine, 0.6) + 0.25 * henyeyGreenstein(cosine, -0.2));
    }
};

TEST_F(PathSlab, LitAcross) {
    Settings s = lit({0.0f, -1.0f, 0.0f});
    s.camera.eye.y = s.camera.target.y = 0.7f;
    // The beam's height of 2 tan(1/2 degree) at 3 m changes the depth within the beam by 5 %, linearly. So the error of the mean is of
    // second order, 2e-4.
    expectMean(s, 64, scattered(0.0) * std::exp(-2.0 * 0.3) * (1.0 - std::exp(-2.0)), 5e-4, Row::ScatteredAcross);
}

TEST_F(PathSlab, LitFromBehind) {
    expectMean(lit({0.0f, 0.0f, 1.0f}), 64, scattered(1.0) * 2.0 * std::exp(-2.0), 1e-3, Row::ScatteredFromBehind);
}

TEST_F(PathSlab, LitFromTheCamera) {
    expectMean(lit({0.0f, 0.0f, -1.0f}), 64, scattered(-1.0) * (1.0 - std::exp(-4.0)) / 2.0, 1e-3, Row::ScatteredFromCamera);
}

// Lamps inside the cube, single scattering without a preferred direction. The picture shows the whole cube.
class PathLamp : public PathTrace {
protected:
    // Mean radiance of the picture: the midpoint rule over the directions and distances from the lamp, where 1/r^2 cancels. A volume dV at
    // the depth z covers the share dV / (z^2 cos) / (4 tan^2(fov/2)) of picture and ray, where cos is that of the angle to the camera's
    // axis.
    static double singleScattering(const Settings& s, double edge) {
        const LightSettings& lamp = s.lights[0];
        const double sigma = double(s.medium.extinction), side = 2.0 * std::tan(0.5 * double(s.camera.fov));
        const double cosLeast = lamp.kind == LightKind::Spot ? std::cos(0.5 * double(lamp.angle)) : -1.0;
        const dvec3 axis = glm::normalize(dvec3(lamp.direction)), aside = glm::normalize(glm::cross(axis, dvec3(0.3, 0.5, 0.7))),
                    other = glm::cross(axis, aside), x(lamp.position);
        constexpr int kCosines = 40, kTurns = 80, kSteps = 60;
        double sum = 0.0;
        forEach({kCosines, kTurns, kSteps}, [&](ivec3 n) {
            const double cosine = cosLeast + (1.0 - cosLeast) * (n.x + 0.5) / kCosines, sine = std::sqrt(1.0 - cosine * cosine),
                         turn = 2.0 * M_PI * (n.y + 0.5) / kTurns;
            const dvec3 d = cosine * axis + sine * (std::cos(turn) * aside + std::sin(turn) * other);
            double far = 10.0 * edge;
            for (int a = 0; a < 3; ++a) far = std::min(far, ((d[a] > 0.0 ? edge : 0.0) - x[a]) / d[a]);
            const double r = far * (n.z + 0.5) / kSteps;
            const dvec3 away = dvec3(s.camera.eye) - (x + r * d);
            const double cosRay = away.z / glm::length(away), smoke = (edge - (x + r * d).z) / cosRay;
            sum += far * std::exp(-sigma * (r + smoke)) / (away.z * away.z * cosRay);
        });
        const double solidAngle = 2.0 * M_PI * (1.0 - cosLeast) / (kCosines * kTurns * kSteps);
        return sum * solidAngle * sigma * double(s.medium.albedo.x) * double(lamp.intensity) / (4.0 * M_PI) / (side * side);
    }
};

// In a small cube, too: no distance is too short for 1/r^2. The error, which expectMean() bounds, would be 0.04 to 0.3 without samples
// along the rays. The quadrature has an error of 5e-4.
TEST_F(PathLamp, LightsTheSmokeAroundIt) {
    for (const float edge : {1.0f, 0.01f})
        for (const float degrees : {0.0f, 70.0f}) {
            SCOPED_TRACE(testing::Message() << "edge " << edge << " m, spot of " << degrees << " degrees");
            Settings s = cube(edge);
            s.camera.fov = 0.52f;
            s.medium.albedo = glm::vec3(0.8f);
            s.medium.phase = {.g = 0.0f, .gBack = 0.0f, .blend = 0.0f};
            s.render.bounces = 1;
            s.lights.push_back({.kind = degrees > 0.0f ? LightKind::Spot : LightKind::Point,
                                .direction = {0.3f, -1.0f, 0.2f},
                                .position = edge * glm::vec3(0.5f, 0.6f, 0.45f),
                                .intensity = 3.0f * edge * edge,
                                .angle = glm::radians(degrees),
                                .softness = 0.0f});
            expectMean(s, 256, singleScattering(s, double(edge)), 1e-3);
        }
}

// Reproducibility, errors and edge cases, in a scene with all features.
class PathMixed : public PathTrace {
protected:
    Settings scene() {
        Settings s = cube();
        s.render.size = {24, 16};
        s.camera = {.eye = {0.6f, 0.7f, 2.6f}, .target = {0.5f, 0.4f, 0.5f}, .fov = 0.6f};
        s.initial = {{.field = InitialField::Gaussian, .shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 0.2f}, .density = 1.0f}};
        s.medium.extinction = 8.0f;
        s.obstacles.push_back({.shape = {.centre = {0.3f, 0.25f, 0.6f}, .radius = 0.15f}});
        s.lights.push_back({.direction = {-0.6f, -0.7f, 0.35f}});
        s.environment = {.colour = glm::vec3(0.2f), .ground = true};
        return s;
    }
};

TEST_F(PathMixed, HasTheSameBitsForTheSameSeed) {
    std::vector<float> means[2], other, next;
    for (auto& m : means) {
        Simulation simulation(device(), scene());
        simulation.trace(3);
        simulation.trace(2);
        m = download(simulation.renderer.path()->mean());
        if (&m == &means[0]) continue;
        simulation.renderer.restart(1);
        simulation.trace(5);
        next = download(simulation.renderer.path()->mean());
    }
    Settings s = scene();
    s.seed = 2;
    Simulation simulation(device(), s);
    simulation.trace(5);
    other = download(simulation.renderer.path()->mean());
    EXPECT_EQ(means[0], means[1]);
    EXPECT_NE(means[0], other);
    EXPECT_NE(means[0], next);
    EXPECT_NE(other, next);
}

TEST_F(PathMixed, ErrorFallsWithTheRootOfTheSamples) {
    Settings s = scene();
    s.render.size = {20, 12};
    Simulation simulation(device(), s);
    const PathReport many = simulation.trace(128);
    // Images with 1/16 of the samples and other noise vary with four times the standard error of this image.
    double squares = 0.0, mean = 0.0;
    constexpr int kPictures = 24;
    for (int i = 1; i <= kPictures; ++i) {
        simulation.renderer.restart(static_cast<std::uint64_t>(i));
        const double l = simulation.trace(8).luminance;
        mean += l / kPictures;
        squares += l * l / kPictures;
    }
    const double deviation = std::sqrt((squares - mean * mean) * kPictures / (kPictures - 1.0)) / mean;
    // A standard deviation from 24 images has an error of 1 / sqrt(48) = 14 %.
    EXPECT_NEAR(deviation / (4.0 * many.error), 1.0, 3.0 * 0.14);
    EXPECT_NEAR(mean, many.luminance, kSigmas * mean * many.error * (4.0 / std::sqrt(kPictures) + 1.0));
}

TEST_F(PathMixed, EdgeCases) {
    // A camera inside smoke sees the smoke. A camera inside an obstacle sees nothing. A light inside an obstacle lights nothing.
    Settings s = scene();
    s.environment.ground = false;
    s.camera.eye = {0.5f, 0.5f, 0.5f};
    s.camera.target = {0.5f, 0.5f, 0.0f};
    EXPECT_GT(trace(s, 8).luminance, 0.01);
    s.camera.eye = {0.3f, 0.25f, 0.6f};
    EXPECT_EQ(trace(s, 8).luminance, 0.0);
    s = scene();
    s.lights.clear();
    const PathReport dark = trace(s, 8);
    s.lights.push_back({.kind = LightKind::Point, .position = {0.3f, 0.25f, 0.6f}, .intensity = 100.0f});
    const PathReport buried = trace(s, 8);
    EXPECT_NEAR(buried.luminance, dark.luminance, kSigmas * dark.luminance * (dark.error + buried.error));
    s.lights[0].position = {0.5f, 0.5f, 0.5f};  // inside smoke: bright but finite
    const PathReport lamp = trace(s, 8);
    EXPECT_GT(lamp.luminance, dark.luminance);
    EXPECT_TRUE(std::isfinite(lamp.luminance) && std::isfinite(lamp.error));
    // No smoke: exactly the environment, also around a lamp.
    s = cube();
    s.medium.extinction = 0.0f;
    s.environment.colour = glm::vec3(0.25f);
    s.lights.push_back({.kind = LightKind::Point, .position = glm::vec3(0.5f), .intensity = 100.0f});
    EXPECT_FLOAT_EQ(static_cast<float>(trace(s, 4).luminance), 0.25f);
    // Opaque smoke in the smallest image.
    s = scene();
    s.render.size = {1, 1};
    s.medium.extinction = 1e4f;
    const PathReport thick = trace(s, 16);
    EXPECT_TRUE(std::isfinite(thick.luminance) && thick.luminance > 0.0);
}

TEST_F(PathMixed, CountsTruncatedSamples) {
    // Sparse smoke in bricks with one dense cell each, at a much larger extinction than usual. Almost all collisions are null collisions.
    Settings s = cube();
    s.render.size = {8, 8};
    s.grid.precision = Precision::Float;
    s.initial = {{.shape = {.centre = {0.03f, 0.5f, 0.5f}, .radius = 0.02f}, .density = 1e4f}};
    for (int n = 0; n < 16; ++n) {
        const float y = static_cast<float>(n) / 16.0f;
        for (const float x : {0.03f, 0.97f})
            for (const float z : {0.03f, 0.97f})
                s.initial.push_back({.shape = {ShapeKind::Box, {x, y + 0.03f, z}, 0.0f, glm::vec3(0.02f)}, .density = 1e4f});
    }
    s.medium.extinction = 1e4f;
    Simulation simulation(device(), s);
    const PathReport r = simulation.trace(2);
    EXPECT_EQ(r.cut, 2.0 * 8 * 8);
    EXPECT_EQ(r.samples, 2u);
}

}  // namespace
}  // namespace wisp::test
