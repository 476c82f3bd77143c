// SPDX-License-Identifier: MIT
// What density does over whole steps.
#include "tests/physics/simulation.h"

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

class SmokeDensity : public BothPrecisions {};
INSTANTIATE_TEST_SUITE_P(Storage, SmokeDensity, testing::Values(Precision::Float, Precision::Half), precisionName);

TEST_P(SmokeDensity, DecayDoesNotDependOnTheStep) {
    constexpr int kSeconds = 2;
    for (const float rate : {0.7f, 0.03f}) {  // in half storage the slower one takes less than a rounding in a step of 1/120 s
        for (const int stepsASecond : {30, 120}) {
            Settings s = stillBox({4, 4, 4}, 0.25f);
            s.grid.precision = GetParam();
            s.pressure.iterations = 1;
            s.timeStep = 1.0f / static_cast<float>(stepsASecond);
            s.flow.densityDecay = rate;
            s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.5f), 0.0f, glm::vec3(1.0f)}, .density = 1.0f});
            Simulation simulation(device(), s);
            simulation.step(kSeconds * stepsASecond);
            const double decay = kSeconds * double(rate), exact = std::exp(-decay);
            // In half a decay of 1/128 or more rounds by 2^-11 of the value at most, a sixteenth of it; the last may be to come.
            const double tolerance = half() ? decay / 16.0 + 1.0 / 128 : kSeconds * stepsASecond * 1.2e-7;
            EXPECT_NEAR(densityOf(simulation)({1, 2, 1}).x, exact, tolerance * exact) << rate << " 1/s, " << stepsASecond << " steps a second";
        }
    }
}

TEST_P(SmokeDensity, MovesByWholeCellsExactly) {
    Settings s = stillBox({24, 8, 8}, 0.0625f);
    s.grid.precision = GetParam();
    s.grid.sides[0] = Side::Inflow;
    s.grid.sides[1] = Side::Open;
    s.flow.inflow = {1.0f, 0.0f, 0.0f};
    s.timeStep = 0.0625f;  // a cell a step
    s.initial.push_back({.shape = {ShapeKind::Box, 0.5f * s.grid.size, 0.0f, s.grid.size}, .velocity = {1.0f, 0.0f, 0.0f}});
    s.initial.push_back({.field = InitialField::Gaussian, .shape = {.centre = {0.4f, 0.23f, 0.26f}, .radius = 0.1f}, .density = 0.9f});
    Simulation simulation(device(), s);
    const Field before = densityOf(simulation);
    simulation.step(6);
    const Field after = densityOf(simulation);
    forEach(before.size() - ivec3(6, 0, 0), [&](ivec3 c) {
        const double expected = before(c).x, ulp = std::max(expected, 6.2e-5) * (half() ? 1.0 / 1024 : 1.2e-7);
        EXPECT_NEAR(after(c + ivec3(6, 0, 0)).x, expected, ulp);
    });
}

// Smoke stirred by eddies in a closed box.
Settings stirred(Precision precision, AdvectionScheme scheme) {
    Settings s = stillBox({24, 24, 6}, 1.0f / 24);
    s.grid.precision = precision;
    s.advection.scheme = scheme;
    s.timeStep = 1.0f / 48;  // half a cell at 1 m/s
    s.pressure.iterations = 60;
    s.initial.push_back({.field = InitialField::TaylorGreen, .velocity = {1.0f, 0.0f, 0.0f}});
    s.initial.push_back({.field = InitialField::Zalesak, .shape = {.centre = {0.5f, 0.7f, 0.125f}, .radius = 0.22f}, .density = 1.0f});
    return s;
}

TEST_P(SmokeDensity, StaysBetweenZeroAndOne) {
    Simulation simulation(device(), stirred(GetParam(), AdvectionScheme::MacCormack));
    for (int i = 0; i < 6; ++i) {
        simulation.step(8);
        const Field density = densityOf(simulation);
        for (const dvec4& v : density.values()) {
            EXPECT_GE(v.x, 0.0);
            EXPECT_LE(v.x, 1.0);
        }
    }
}

TEST_P(SmokeDensity, EmittedSmokeIsNeverNegative) {
    Settings s = stirred(GetParam(), AdvectionScheme::MacCormack);
    s.grid.sides[3] = Side::Open;
    s.flow.buoyancy = 0.1f;
    s.flow.vorticity = 0.8f;
    s.obstacles.push_back({.shape = {.centre = {0.5f, 0.6f, 0.12f}, .radius = 0.12f}, .velocity = {0.1f, 0.0f, 0.0f}});
    EmitterSettings emitter;
    emitter.shape = {.centre = {0.5f, 0.2f, 0.12f}, .radius = 0.1f};
    emitter.densityRate = 3.0f;
    emitter.temperature = 30.0f;
    emitter.velocity = {0.0f, 1.5f, 0.0f};
    emitter.hasVelocity = true;
    emitter.turbulence = 0.5f;
    s.emitters.push_back(emitter);
    Simulation simulation(device(), s);
    simulation.step(40);
    const Quality quality = simulation.measure();
    EXPECT_EQ(quality.notFinite, "");
    EXPECT_GT(quality.mass, 0.0);
    const Field density = densityOf(simulation);
    for (const dvec4& v : density.values()) EXPECT_GE(v.x, 0.0);
}

TEST_P(SmokeDensity, MassIsKeptInAClosedBox) {
    Settings s = stirred(GetParam(), AdvectionScheme::MacCormack);
    s.initial.back() = {.field = InitialField::Gaussian, .shape = {.centre = {0.5f, 0.6f, 0.125f}, .radius = 0.12f}, .density = 1.0f};
    Simulation simulation(device(), s);
    const double before = simulation.measure().mass;
    simulation.step(100);
    const double drift = simulation.measure().mass / before - 1.0;
    RecordProperty("drift", std::to_string(drift));
    // Interpolation conserves nothing by itself: 1 % is what smooth smoke may lose before it shows.
    EXPECT_LT(std::abs(drift), 0.01);
}

}  // namespace
}  // namespace wisp::test
