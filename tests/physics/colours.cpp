// SPDX-License-Identifier: MIT
// Colour is advected with the density: K = density times colour.
#include "tests/physics/simulation.h"

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

constexpr int kColouredSteps = 20;

// A closed box with vortices, decay, a moving body, a held source and an emitter with a rate.
Settings stirred(Precision precision, glm::vec3 held, glm::vec3 added) {
    Settings s = stillBox({16, 16, 12}, 1.0f / 16);
    s.grid.precision = precision;
    s.timeStep = 1.0f / 32;
    s.pressure.iterations = 20;
    s.flow.densityDecay = 0.7f;
    s.initial.push_back({.field = InitialField::TaylorGreen, .velocity = {1.0f, 0.0f, 0.0f}});
    s.initial.push_back(
        {.field = InitialField::Gaussian, .shape = {.centre = {0.3f, 0.6f, 0.4f}, .radius = 0.15f}, .density = 0.9f, .colour = held});
    s.initial.push_back({.shape = {ShapeKind::Box, {0.6f, 0.6f, 0.4f}, 0.0f, glm::vec3(0.11f)}, .density = 0.3f, .colour = added});
    EmitterSettings emitter;
    emitter.shape = {.centre = {0.4f, 0.3f, 0.35f}, .radius = 0.2f};
    emitter.density = 0.8f;
    emitter.colour = held;
    s.emitters.push_back(emitter);
    emitter.shape.centre.x = 0.6f;
    emitter.density = 0.0f;
    emitter.densityRate = 1.5f;
    emitter.colour = added;
    s.emitters.push_back(emitter);
    s.obstacles.push_back({.shape = {.centre = {0.3f, 0.6f, 0.4f}, .radius = 0.14f}, .velocity = {0.7f, -0.3f, 0.1f}});
    return s;
}

struct Smoke {
    Field scalars, colours;
};

class ColouredSmoke : public BothPrecisions {
protected:
    Smoke after(const Settings& s, int steps) {
        Simulation simulation(device(), s);
        simulation.step(steps);
        return {densityOf(simulation), fieldOf(simulation.simulator.fields().smoke.colours[0])};
    }
};
INSTANTIATE_TEST_SUITE_P(Storage, ColouredSmoke, testing::Values(Precision::Float, Precision::Half), precisionName);

// Every pass is linear in the advected field, and a factor that is a power of two does not change rounding. So the colour fields have the
// bits of the density, scaled. Exceptions: values below the exponent range of floats, and with 16-bit storage all factors but 1 and 0.
TEST_P(ColouredSmoke, OneColourIsTheDensityScaled) {
    const dvec3 colour(1.0, 0.25, 0.0);
    for (const AdvectionScheme scheme : {AdvectionScheme::MacCormack, AdvectionScheme::MacCormackUnclamped, AdvectionScheme::SemiLagrangian,
                                         AdvectionScheme::Bfecc, AdvectionScheme::Cubic}) {
        Settings s = stirred(GetParam(), colour, colour);
        s.advection.scheme = scheme;
        const Smoke smoke = after(s, kColouredSteps);
        double mass = 0.0;
        forEach(smoke.scalars.size(), [&](ivec3 c) {
            const double density = smoke.scalars(c).x;
            mass += density;
            for (int n = 0; n < 3; ++n) {
                if (n == 1 && half()) continue;
                EXPECT_NEAR(smoke.colours(c)[n], density * colour[n], 1e-36) << c.x << " " << c.y << " " << c.z << " channel " << n;
            }
        });
        EXPECT_GT(mass, 100.0);
    }
}

// Two colours that share their blue, and that add up to 1 in red and green. Weights of first order are not negative, so the error of each
// field is relative to the field. A step has at most 12 roundings for fresh-cell fill, 12 for emission (3 emitted fields of 1) and 18 for
// advection. Two fields are added. With 16-bit storage each of three stores adds half a unit in the last place.
TEST_P(ColouredSmoke, TwoColoursAddUpToTheDensity) {
    Settings s = stirred(GetParam(), {1.0f, 0.0f, 1.0f}, {0.0f, 1.0f, 1.0f});
    s.advection.scheme = AdvectionScheme::SemiLagrangian;
    const Smoke smoke = after(s, kColouredSteps);
    const double relative = kColouredSteps * (half() ? 3.0 * 2.0 / 2048 : 2.0 * 42.0 * 6e-8),
                 least = kColouredSteps * (half() ? 2.0 * 3.0 * 6e-8 : 1e-36);
    dvec3 sums(0.0);
    double mass = 0.0;
    forEach(smoke.scalars.size(), [&](ivec3 c) {
        const double density = smoke.scalars(c).x;
        const dvec3 K(smoke.colours(c));
        mass += density;
        sums += K;
        EXPECT_NEAR(K.x + K.y, density, relative * density + least) << c.x << " " << c.y << " " << c.z;
        EXPECT_EQ(K.z, density);
    });
    EXPECT_NEAR(sums.x + sums.y, mass, relative * mass);
    EXPECT_GT(sums.x, 0.1 * mass);  // both colours must be present
    EXPECT_GT(sums.y, 0.1 * mass);
}

// White smoke next to other colours has the same density bits and the same image as smoke without colours.
TEST_P(ColouredSmoke, WhiteSmokeLooksLikeUncolouredSmoke) {
    Settings s = stirred(GetParam(), glm::vec3(1.0f), glm::vec3(1.0f));
    s.lights.push_back({});
    s.render.size = {32, 32};
    s.camera = {.eye = {0.5f, 0.5f, 2.5f}, .target = {0.5f, 0.5f, 0.0f}};
    EXPECT_FALSE(s.usesColour());
    Field pictures[2];
    for (Field& picture : pictures) {
        Simulation simulation(device(), s);
        EXPECT_EQ(simulation.simulator.fields().smoke.hasColours(), s.usesColour());
        simulation.step(4);
        simulation.draw();
        picture = fieldOf(simulation.renderer.radiance());
        s.initial.push_back({.shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 1e-4f}, .colour = {1.0f, 0.0f, 0.0f}});  // covers no cell
    }
    EXPECT_TRUE(s.usesColour());
    // x / x is 1 up to 2.5 units in the last place (Vulkan). This may change the rounding to a 16-bit float.
    double brightest = 0.0;
    forEach(pictures[0].size(), [&](ivec3 p) {
        for (int n = 0; n < 4; ++n) EXPECT_NEAR(pictures[1](p)[n], pictures[0](p)[n], pictures[0](p)[n] / 1024.0);
        brightest = std::max(brightest, pictures[0](p).x);
    });
    EXPECT_GT(brightest, 0.1);
}

// A held source has its own colour inside, no matter which smoke flows in. The colours mix at its edge.
TEST_P(ColouredSmoke, InsideAHeldSourceHasItsColour) {
    Settings s = stillBox({16, 16, 16}, 1.0f / 16);
    s.grid.precision = GetParam();
    s.pressure.iterations = 1;
    s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.5f), 0.0f, glm::vec3(1.0f)}, .density = 0.9f, .colour = {0.0f, 1.0f, 0.0f}});
    EmitterSettings emitter;
    emitter.shape = {.centre = glm::vec3(0.5f), .radius = 0.3f};
    emitter.density = 0.5f;  // less than the density around it
    emitter.colour = {1.0f, 0.0f, 0.5f};
    s.emitters.push_back(emitter);
    const Smoke smoke = after(s, 1);
    const dvec3 middle(smoke.colours({7, 7, 7})), edge(smoke.colours({7, 7, 12})), outside(smoke.colours({1, 1, 1}));
    const double density = smoke.scalars({7, 7, 7}).x;
    EXPECT_NEAR(density, 0.9, 0.9 / 2048);
    EXPECT_EQ(middle, dvec3(density, 0.0, 0.5 * density));
    EXPECT_EQ(outside, dvec3(0.0, density, 0.0));
    EXPECT_GT(edge.x, 0.1 * density);
    EXPECT_GT(edge.y, 0.1 * density);
}

// The slab of light.cpp with a colour: the albedo is multiplied by the colour, channel by channel.
class ColouredSlab : public PhysicsTest {};

TEST_F(ColouredSlab, ScattersWithItsColour) {
    Settings s = stillBox({16, 16, 16}, 0.0625f);
    const dvec3 colour(0.9, 0.5, 0.2);
    s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.5f), 0.0f, glm::vec3(1.0f)}, .density = 1.0f, .colour = colour});
    s.camera = {.eye = {0.5f, 0.4375f, 3.0f}, .target = {0.5f, 0.4375f, 0.0f}, .fov = 0.0174533f};
    s.render.size = {1, 1};
    s.medium = {.extinction = 2.0f, .albedo = {0.8f, 0.7f, 0.6f}, .phase = {.g = 0.0f, .gBack = 0.0f, .blend = 0.0f}, .octaves = 1};
    s.environment.colour = glm::vec3(0.0f);
    s.lights.push_back({.direction = {0.0f, -1.0f, 0.0f}, .intensity = 3.0f});
    const dvec4 pixel = pictureOf(s)({0, 0, 0});
    const double reaches = 3.0 / (4.0 * M_PI) * std::exp(-2.0 * 0.5625) * (1.0 - std::exp(-2.0));
    // Light and image are stored as 16-bit floats: two units of 2^-11. The camera's field of view of 1 degree adds an error as in
    // light.cpp.
    for (int n = 0; n < 3; ++n) EXPECT_NEAR(pixel[n], double(s.medium.albedo[n]) * colour[n] * reaches, 1e-3 * reaches + 1e-4) << n;
    // Path tracing with one bounce. The height within the beam changes the depth linearly, so the error of the mean is of second order,
    // 2e-4.
    s.render.mode = RenderMode::Path;
    s.render.size = {32, 32};
    s.render.bounces = 1;
    Simulation simulation(device(), s);
    const PathReport report = simulation.trace(64);
    dvec3 mean(0.0);
    const Field traced = fieldOf(simulation.renderer.path()->mean());
    for (const dvec4& c : traced.values()) mean += dvec3(c) / 1024.0;
    // The colour is the same everywhere, so all channels have the relative error of the luminance.
    for (int n = 0; n < 3; ++n)
        EXPECT_NEAR(mean[n] / (double(s.medium.albedo[n]) * colour[n] * reaches), 1.0, 4.0 * report.error + 5e-4) << n;
    EXPECT_LT(report.error, 0.01);
}

}  // namespace
}  // namespace wisp::test
