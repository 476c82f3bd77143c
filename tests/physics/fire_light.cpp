// SPDX-License-Identifier: MIT
// Light of flames against exact values.
#include "tests/physics/simulation.h"
#include "tests/reference/black_body.h"
#include "tests/support/verification.h"

#include <glm/gtc/constants.hpp>

#include <cmath>

namespace wisp::test {
namespace {

constexpr float kHot = 1207.0f;       // [K] above ambient: 1500 K
constexpr double kPolynomial = 2e-3;  // error of the light of a black body in linear sRGB
const Shape kEverywhere{.kind = ShapeKind::Box, .centre = glm::vec3(0.5f), .half = glm::vec3(1.0f)};

// A cube of 1 m, full of gas at 1500 K that does not burn, seen along -z by rays that are parallel up to 0.5 degrees.
Settings hotCube() {
    Settings s = stillBox({16, 16, 16}, 0.0625f);
    s.fire.expansion = 0.0f;
    s.initial.push_back({.shape = kEverywhere, .density = 1.0f, .temperature = kHot, .fuel = 1e-4f});
    s.camera = {.eye = {0.5f, 0.5f, 3.0f}, .target = {0.5f, 0.5f, 0.0f}, .fov = 0.0174533f};
    s.render.size = {16, 16};
    s.medium = {.extinction = 2.0f, .albedo = glm::vec3(0.0f)};
    s.environment.colour = glm::vec3(0.0f);
    return s;
}

class FireLight : public PhysicsTest {
protected:
    void expectRadiance(Settings s, dvec3 exact) {
        const dvec4 marched = pictureOf(s)({8, 8, 0});
        for (int n = 0; n < 3; ++n) EXPECT_NEAR(marched[n], exact[n], (kPolynomial + 1e-3) * exact[n]) << "raymarch, channel " << n;
        s.render.mode = RenderMode::Path;
        Simulation simulation(device(), s);
        const PathReport report = simulation.trace(64);
        const double luminance = 0.2126 * exact.x + 0.7152 * exact.y + 0.0722 * exact.z;
        EXPECT_NEAR(report.luminance, luminance, (4.0 * report.error + kPolynomial) * luminance) << "path";
        EXPECT_LT(report.error, 0.01) << "too noisy for this test";
    }
};

// By Kirchhoff's law a slab of the optical depth tau sends out L (1 - exp(-tau)).
TEST_F(FireLight, OfHotSmokeInASlab) { expectRadiance(hotCube(), (1.0 - std::exp(-2.0)) * blackBody(1500.0)); }

// The same without smoke: burning gas has an extinction of its own. It scatters nothing, whatever the albedo of the smoke.
TEST_F(FireLight, OfBurningGasInASlab) {
    Settings s = hotCube();
    s.initial[0].density = 0.0f;
    s.initial[0].fuel = 0.5f;
    s.fire.flame = 4.0f;
    s.fire.glow = 0.25f;
    s.medium.albedo = glm::vec3(0.8f);
    expectRadiance(s, 0.25 * (1.0 - std::exp(-2.0)) * blackBody(1500.0));
    s.fire.ignition = 1250.0f;  // nothing burns
    EXPECT_EQ(pictureOf(s)({8, 8, 0}).x, 0.0);
}

// A thin ball of hot smoke lights the ground as if all of its light came from its centre (Newton's shell theorem). The light of a ball is a
// sum over cells: density is linear between them, and the temperature is the same everywhere.
TEST_F(FireLight, OfABallOnTheGround) {
    Settings s = hotCube();
    s.grid.cells = {64, 64, 64};
    s.initial[0].density = 0.0f;
    s.initial.push_back({.shape = {.centre = {0.5f, 0.6f, 0.5f}, .radius = 0.15f}, .density = 1.0f, .temperature = kHot, .fuel = 1e-4f});
    s.medium.extinction = 0.02f;
    s.environment.ground = true;
    s.render.groundColour = glm::vec3(0.5f);
    s.camera = {.eye = {0.5f, 0.4f, 2.5f}, .target = {0.5f, 0.0f, 0.9f}, .fov = 0.0174533f};
    Simulation simulation(device(), s);
    simulation.draw();
    double mass = 0.0;
    const Field smoke = densityOf(simulation);
    for (const dvec4& gas : smoke.values()) mass += gas.x / std::pow(64.0, 3.0);
    const double r2 = 0.6 * 0.6 + 0.4 * 0.4, E = double(s.medium.extinction) * mass * blackBody(1500.0).x / r2 * 0.6 / std::sqrt(r2);
    const double exact = 0.5 / glm::pi<double>() * E;
    // The ordinates' cells are two cells wide. The centre of all parts together is the centre of the ball.
    EXPECT_NEAR(fieldOf(simulation.renderer.radiance())({8, 8, 0}).x, exact, 0.03 * exact) << "raymarch";
    s.render.mode = RenderMode::Path;
    Simulation paths(device(), s);
    const PathReport report = paths.trace(64);
    double sum = 0.0;
    const Field mean = fieldOf(paths.renderer.path()->mean());
    for (const dvec4& pixel : mean.values()) sum += pixel.x / static_cast<double>(mean.count());
    // The pixels are up to 1 cm apart, and the smoke absorbs 0.3 %.
    EXPECT_NEAR(sum, exact, (4.0 * report.error + kPolynomial + 5e-3) * exact) << "path";
    EXPECT_LT(report.error, 0.02) << "too noisy for this test";
}

double meanOf(const Field& picture) {
    double sum = 0.0;
    for (const dvec4& pixel : picture.values()) sum += pixel.x / static_cast<double>(picture.count());
    return sum;
}

class ScatteredFireLight : public FireLight {
protected:
    // A ball of smoke that scatters 0.7 of the light, black outside, and a hot ball in the middle of it. An ordinates' cell is half as
    // large as the radius of the hot ball, which has an optical depth of 0.5.
    static Settings ball() {
        Settings s = hotCube();
        s.grid.cells = {32, 32, 32};
        s.grid.size = glm::vec3(1.0f);
        const glm::vec3 middle(0.5f);
        s.initial = {{.shape = {.centre = middle, .radius = 0.42f}, .density = 1.0f},
                     {.shape = {.centre = middle, .radius = 0.12f}, .density = 1.0f, .temperature = kHot, .fuel = 1e-4f}};
        s.medium = {.extinction = 4.0f, .albedo = glm::vec3(0.7f), .phase = {.g = 0.4f, .gBack = 0.0f, .blend = 0.0f}};
        s.camera = {.eye = {0.5f, 0.5f, 3.0f}, .target = middle, .fov = 0.384f};
        s.render.size = {32, 32};
        return s;
    }
    // The light that is not scattered is that of smoke without albedo that glows less. Raymarch computes it exactly, see OfHotSmokeInASlab.
    void expectScattered(const Settings& s) {
        Settings straight = s;
        straight.medium.albedo = glm::vec3(0.0f);
        straight.fire.glow *= 1.0f - s.medium.albedo.x;
        const double whole = meanOf(pictureOf(s)), direct = meanOf(pictureOf(straight));
        const std::array<Field, 2> traced = tracedTwice(s, 192);
        const double a = meanOf(traced[0]), b = meanOf(traced[1]), path = 0.5 * (a + b);
        // The difference of both is sqrt(2) sigma of one, and 2 sigma of their mean.
        const double noise = std::abs(a - b);
        EXPECT_LT(noise, 0.02 * path) << "too noisy for this test";
        expectNear(Row::HotBall, "mean of the picture, albedo 0.7", whole / path, 1.0, 0.05 + noise / path);
        expectNear(Row::HotBall, "the same, of scattered light", (whole - direct) / (path - direct), 1.0, 0.1 + noise / (path - direct));
    }
};

TEST_F(ScatteredFireLight, AroundAHotBall) { expectScattered(ball()); }

}  // namespace
}  // namespace wisp::test
