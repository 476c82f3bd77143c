// SPDX-License-Identifier: MIT
// Density over whole steps.
#include "tests/physics/simulation.h"
#include "tests/support/verification.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace wisp::test {
namespace {

class SmokeDensity : public BothPrecisions {};
INSTANTIATE_TEST_SUITE_P(Storage, SmokeDensity, testing::Values(Precision::Float, Precision::Half), precisionName);

class SmokeDecay : public PhysicsTest {};

TEST_P(SmokeDensity, DecayDoesNotDependOnTheStep) {
    constexpr int kSeconds = 2;
    for (const float rate : {0.7f, 0.03f}) {  // with 16-bit storage, the slower decay is less than one rounding in a step of 1/120 s
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
            // With 16-bit storage, decay is applied in portions of at least 1/128. Each rounds by at most 2^-11 of the value, which is 1/16
            // of the portion. The last portion may still be due.
            const double tolerance = half() ? decay / 16.0 + 1.0 / 128 : kSeconds * stepsASecond * 1.2e-7;
            EXPECT_NEAR(densityOf(simulation)({1, 2, 1}).x, exact, tolerance * exact)
                << rate << " 1/s, " << stepsASecond << " steps per second";
        }
    }
}

// Uniform flow does not change uniform smoke, so only decay acts: once per step for every scheme, and on the velocity after advection. Each
// of up to three passes (BFECC: four) rounds by at most 2^-23 if floats are truncated.
TEST_F(SmokeDecay, FollowsItsRateForEveryScheme) {
    constexpr int kSteps = 20;
    for (const AdvectionScheme scheme : {AdvectionScheme::SemiLagrangian, AdvectionScheme::MacCormack, AdvectionScheme::MacCormackUnclamped,
                                         AdvectionScheme::Bfecc, AdvectionScheme::Cubic}) {
        Settings s = stillBox({8, 8, 8}, 0.125f);
        s.grid.sides.fill(Side::Periodic);
        s.advection.scheme = scheme;
        s.timeStep = 0.05f;
        s.flow.velocityDecay = 0.5f;
        s.flow.densityDecay = 0.8f;
        s.initial.push_back(
            {.shape = {ShapeKind::Box, glm::vec3(0.5f), 0.0f, glm::vec3(1.0f)}, .density = 1.0f, .velocity = {1.0f, -0.5f, 0.25f}});
        Simulation simulation(device(), s);
        simulation.step(kSteps);
        const double left = std::exp(-0.5 * (kSteps - 1) * 0.05), smoke = std::exp(-0.8 * kSteps * 0.05),
                     rounding = (scheme == AdvectionScheme::Bfecc ? 4 : 3) * kSteps * 1.2e-7;
        const Field velocity = velocityOf(simulation), density = densityOf(simulation);
        for (int axis = 0; axis < 3; ++axis) {
            const double exact = left * s.initial[0].velocity[axis];
            EXPECT_NEAR(velocity({3, 4, 2})[axis], exact, rounding * std::abs(exact)) << "scheme " << int(scheme) << ", axis " << axis;
        }
        EXPECT_NEAR(density({3, 4, 2}).x, smoke, rounding * smoke) << "scheme " << int(scheme);
    }
}

// One unit in the last place of a stored number.
double ulpOf(double value, bool half) {
    const int exponent = value > 0.0 ? std::ilogb(value) : -1000;
    return std::ldexp(1.0, half ? std::max(exponent, -14) - 10 : std::max(exponent, -126) - 23);
}

TEST_P(SmokeDensity, MovesByWholeCellsExactly) {
    const std::uint32_t larger = sized(1u, 5u);
    const int steps = sized(6, 60);
    Settings s = stillBox(larger * glm::uvec3(24, 8, 8), 0.0625f);
    s.grid.precision = GetParam();
    s.grid.sides[0] = Side::Inflow;
    s.grid.sides[1] = Side::Open;
    s.flow.inflow = {1.0f, 0.0f, 0.0f};
    s.timeStep = 0.0625f;  // one cell per step
    s.initial.push_back({.shape = {ShapeKind::Box, 0.5f * s.grid.size, 0.0f, s.grid.size}, .velocity = {1.0f, 0.0f, 0.0f}});
    const float scale = static_cast<float>(larger);
    s.initial.push_back({.field = InitialField::Gaussian,
                         .shape = {.centre = scale * glm::vec3(0.4f, 0.23f, 0.26f), .radius = scale * 0.1f},
                         .density = 0.9f});
    Simulation simulation(device(), s);
    const Field before = densityOf(simulation);
    simulation.step(steps);
    const Field after = densityOf(simulation);
    double worst = 0.0;
    forEach(before.size() - ivec3(steps, 0, 0), [&](ivec3 c) {
        const double expected = before(c).x;
        worst = std::max(worst, std::abs(after(c + ivec3(steps, 0, 0)).x - expected) / ulpOf(expected, half()));
    });
    expectAtMost(Row::WholeCells, fmt::format("{}, {} cells along x, {} steps, units in the last place", storage(), s.grid.cells.x, steps),
                 worst, 1.0);
}

// Smoke in a vortex in a closed box.
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

/// A wind of 1 m/s along a channel, with smoke from the inflow side.
class Inflow : public PhysicsTest {
protected:
    static Settings channel(double cfl) {
        Settings s = stillBox({32, 4, 4}, 0.125f);
        s.grid.sides = {Side::Inflow, Side::Open, Side::Periodic, Side::Periodic, Side::Periodic, Side::Periodic};
        s.timeStep = static_cast<float>(0.125 * cfl);
        s.flow.inflow = {1.0f, 0.0f, 0.0f};
        s.advection.scheme = AdvectionScheme::SemiLagrangian;
        s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(2.0f), 0.0f, glm::vec3(4.0f)}, .velocity = s.flow.inflow});
        return s;
    }
};

// For any length of the step. The centre of the first cell is half a cell inside, and gets the inflow at twice the rate of an upwind
// difference. So at most half a cell of smoke arrives too early.
TEST_F(Inflow, BringsSmokeAndItsVelocity) {
    for (const double cfl : {0.02, 0.2, 0.45, 0.8, 1.0}) {
        Settings s = channel(cfl);
        s.flow.inflowDensity = 0.5f;
        s.flow.inflow.z = 0.25f;
        Simulation simulation(device(), s);
        const int steps = static_cast<int>(8.0 / cfl);
        simulation.step(steps);
        double smoke = 0.0, across = 0.0;
        const Field density = densityOf(simulation), velocity = velocityOf(simulation);
        for (int i = 0; i < 32; ++i) {
            smoke += density({i, 2, 1}).x / 0.5;
            across += velocity({i, 2, 1}).z / 0.25;
        }
        const double cells = cfl * steps, rounding = 32.0 * steps * 1.2e-7;
        EXPECT_GE(smoke, cells - rounding) << cfl;
        EXPECT_LE(smoke, cells + 0.5 + rounding) << cfl;
        EXPECT_GE(across, cells - cfl - rounding) << cfl;  // the projection comes before the last advection
        EXPECT_LE(across, cells + 0.5 + rounding) << cfl;
    }
}

class NoSmoke : public PhysicsTest {
protected:
    /// A box that follows a ball in the wind.
    static Settings wind() {
        Settings s = stillBox({16, 8, 8}, 0.125f);
        s.grid.sides = {};
        s.timeStep = 0.05f;
        s.flow.inflow = {-1.0f, 0.0f, 0.0f};
        s.obstacles.push_back(
            {.shape = {.centre = {1.0f, 0.5f, 0.5f}, .radius = 0.2f}, .keys = {{0.0f, {1.0f, 0.5f, 0.5f}}, {4.0f, {5.0f, 0.5f, 0.5f}}}});
        s.follow.keys = s.obstacles[0].keys;
        return s;
    }
    /// True if a step runs passes for smoke.
    static bool carriesSmoke(Simulation& s) {
        engine::Recorder rec(s.recorder.device(), s.shaders);
        rec.begin();
        s.simulator.step(rec);
        rec.submit();
        rec.finish();
        return std::ranges::any_of(rec.times(), [](const engine::PassTime& pass) { return pass.name == "advect_scalars"; });
    }
};

// The passes are skipped until an emitter or an upload adds smoke. The result has the same bits.
TEST_F(NoSmoke, CostsNothing) {
    Simulation none(device(), wind()), zeros(device(), wind());
    upload(zeros.simulator.fields().smoke.scalars[0],
           std::vector<float>(zeros.simulator.fields().smoke.scalars[0].bytes() / sizeof(float)));
    for (int n = 0; n < 10; ++n) {
        EXPECT_FALSE(carriesSmoke(none)) << n;
        EXPECT_TRUE(carriesSmoke(zeros)) << n;
    }
    EXPECT_EQ(velocityOf(none).values(), velocityOf(zeros).values());
    EXPECT_EQ(densityOf(none).values(), densityOf(zeros).values());
    EXPECT_EQ(none.measure().mass, 0.0);
    none.simulator.paint(EmitterSettings{.shape = {.centre = {1.5f, 0.5f, 0.5f}, .radius = 0.25f}, .density = 1.0f});
    none.step();
    EXPECT_TRUE(carriesSmoke(none));
    EXPECT_GT(none.measure().mass, 0.0);
    none.recorder.begin();
    none.simulator.clear(none.recorder);
    none.recorder.submit();
    EXPECT_FALSE(carriesSmoke(none));
    Settings dusty = wind();
    dusty.grid.sides[1] = Side::Inflow;
    dusty.flow.inflowDensity = 0.5f;
    dusty.follow.keys.clear();
    Simulation carried(device(), dusty);
    EXPECT_TRUE(carriesSmoke(carried));
    carried.step(10);
    EXPECT_GT(carried.measure().mass, 0.0);
}

TEST_P(SmokeDensity, MassIsKeptInAClosedBox) {
    const int steps = sized(100, 1000);
    for (const std::uint32_t finer : sized(std::vector{1u}, {1u, 2u})) {
        Settings s = stirred(GetParam(), AdvectionScheme::MacCormack);
        s.grid.cells *= finer;
        s.timeStep /= static_cast<float>(finer);
        if (finer > 1) s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 3};
        s.initial.back() = {.field = InitialField::Gaussian, .shape = {.centre = {0.5f, 0.6f, 0.125f}, .radius = 0.12f}, .density = 1.0f};
        Simulation simulation(device(), s);
        const double before = simulation.measure().mass;
        simulation.step(steps);
        // Interpolation does not conserve mass. A loss of 1 % of smooth smoke is not visible.
        expectAtMost(Row::ClosedBox,
                     fmt::format("{}, {} cells along x, drift of the mass after {} steps", storage(), s.grid.cells.x, steps),
                     std::abs(simulation.measure().mass / before - 1.0), 0.01);
    }
}

}  // namespace
}  // namespace wisp::test
