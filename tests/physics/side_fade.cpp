// SPDX-License-Identifier: MIT
// The fade of smoke near open sides of the box, at any speed and time step.
#include "tests/physics/simulation.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace wisp::test {
namespace {

constexpr float kH = 1.0f / 128, kSpeed = 2.0f, kWidth = 0.1f;
constexpr double kDepth = 6.907755278982137;  // ln 1000

/// S at a distance from the side [m], see docs/passes.md.
double depthAt(double distance) { return kDepth * std::pow(std::clamp(1.0 - distance / double(kWidth), 0.0, 1.0), 2.0); }

/// A channel of 32 cells with a uniform wind from the inflow side to the open side at high x.
Settings channel(float courant, float fade) {
    Settings s = stillBox({32, 4, 4}, kH);
    s.grid.sides[0] = Side::Inflow;
    s.grid.sides[1] = Side::Open;
    s.pressure.iterations = 2;  // there is nothing to solve
    s.timeStep = courant * kH / kSpeed;
    s.flow.inflow = {kSpeed, 0.0f, 0.0f};
    s.flow.sideFade = fade;
    s.initial.push_back({.shape = {ShapeKind::Box, {0.0f, 0.0f, 0.0f}, 0.0f, glm::vec3(1.0f)}, .velocity = s.flow.inflow});
    return s;
}

/// A steady jet of density 1.
Settings jet(float courant, float fade) {
    Settings s = channel(courant, fade);
    s.flow.inflowDensity = 1.0f;
    return s;
}

class SideFade : public BothPrecisions {
protected:
    /// Density along the axis of the channel.
    std::vector<double> along(const Settings& settings, int steps) {
        Simulation s(device(), settings);
        s.step(steps);
        const Field density = densityOf(s);
        std::vector<double> row;
        for (int x = 0; x < density.size().x; ++x) row.push_back(density({x, density.size().y / 2, density.size().z / 2}).x);
        return row;
    }
};
INSTANTIATE_TEST_SUITE_P(Storage, SideFade, testing::Values(Precision::Float, Precision::Half), precisionName);

// The opacity of the last cell at an extinction of 40 per metre. Without the fade, the side cuts visible smoke.
TEST_P(SideFade, JetIsNearlyInvisibleAtTheSide) {
    for (const AdvectionScheme scheme :
         {AdvectionScheme::SemiLagrangian, AdvectionScheme::MacCormack, AdvectionScheme::Bfecc, AdvectionScheme::Cubic}) {
        for (const float courant : {2.1333f, 0.6f}) {  // steps of 1/120 s, and shorter steps
            Settings s = jet(courant, kWidth);
            s.grid.precision = GetParam();
            s.advection.scheme = scheme;
            const int steps = static_cast<int>(80.0f / courant);
            EXPECT_LE(40.0 * double(kH) * along(s, steps).back(), 0.01) << courant;
            s.flow.sideFade = 0.0f;
            EXPECT_GT(40.0 * double(kH) * along(s, steps).back(), 0.1) << courant;
        }
    }
}

// Steps of one or two cells move smoke without interpolation. The density is exp(-S), times exp(-integral of S dt) for the rate. The error
// of the trapezoidal rule is dt^2 / 12 times the change of dS/dt, which is at most 2 ln 1000 u / width.
TEST_P(SideFade, DoesNotDependOnTheTimeStep) {
    const double u = double(kSpeed), width = double(kWidth), most = 2.0 * kDepth * u / width;
    std::vector<double> rows[2];
    for (const int courant : {1, 2}) {
        Settings s = jet(static_cast<float>(courant), kWidth);
        s.grid.precision = GetParam();
        rows[courant - 1] = along(s, 80 / courant);
        const double dt = double(s.timeStep);
        for (int x = 0; x < 32; ++x) {
            const double distance = (32 - x - 0.5) * double(kH), t = std::max(0.0, 1.0 - distance / width);
            const double rest = kDepth * width / (3.0 * u) * t * t * t, expected = std::exp(-depthAt(distance) - rest);
            // The layer begins within a step. The trapezoidal rule adds half a step of the S at the end of that step. 16-bit storage adds
            // one rounding per step.
            const double first = kDepth * std::pow(u * dt / width, 2.0) * dt / 2.0;
            const double relative = dt * dt / 12.0 * most + first +
                                    (GetParam() == Precision::Half ? 80.0 / courant * std::exp2(-12.0) : 2e-5);
            EXPECT_NEAR(rows[courant - 1][static_cast<std::size_t>(x)], expected, relative * expected + 1e-7)
                << "cell " << x << " at " << courant << " cells per step";
        }
    }
    EXPECT_LT(rows[0].back(), 0.01);
    EXPECT_GT(rows[0].front(), 0.99);
}

// Smoke at rest fades exactly at the rate S, so it never accumulates at a side.
TEST_P(SideFade, FadesSmokeAtRest) {
    Settings s = stillBox({16, 8, 32}, kH);
    s.grid.precision = GetParam();
    s.grid.sides[4] = Side::Open;
    s.flow.sideFade = kWidth;
    s.pressure.iterations = 2;
    s.timeStep = 1.0f / 30;
    s.initial.push_back({.shape = {ShapeKind::Box, {0.0f, 0.0f, 0.0f}, 0.0f, glm::vec3(1.0f)}, .density = 1.0f});
    Simulation simulation(device(), s);
    EXPECT_EQ(simulation.measure().fadedMass, 0.0) << "before the first step";
    constexpr int kSteps = 15;
    simulation.step(kSteps);
    const Field density = densityOf(simulation);
    const double rounding = kSteps * (half() ? std::exp2(-12.0) : 12.0 * 6e-8);
    for (int z = 0; z < 32; ++z) {
        const double expected = std::exp(-depthAt((z + 0.5) * double(kH)) * kSteps / 30.0);
        EXPECT_NEAR(density({8, 4, z}).x, expected, rounding * expected + 1e-6) << z;
    }
}

// Steps of one cell: the outflow of a step is the content of the last cells before the step.
TEST_P(SideFade, FadedMassIsReported) {
    Settings s = channel(1.0f, kWidth);
    s.grid.precision = GetParam();
    s.initial.push_back({.shape = {ShapeKind::Box, {0.1f, 0.016f, 0.016f}, 0.0f, {0.06f, 0.0079f, 1.0f}},
                         .density = 1.0f,
                         .velocity = s.flow.inflow,
                         .colour = {1.0f, 0.5f, 0.25f}});
    Simulation simulation(device(), s);
    const double cell = std::pow(double(kH), 3.0), first = simulation.measure().mass;
    double before = first, all = 0.0;
    for (int n = 0; n < 34; ++n) {
        const Field density = densityOf(simulation);
        double leaves = 0.0;
        forEach({1, 4, 4}, [&](ivec3 c) { leaves += density(ivec3(31, c.y, c.z)).x * cell; });
        simulation.step();
        const Quality q = simulation.measure();
        ASSERT_TRUE(q.fadedMass.has_value());
        EXPECT_GE(*q.fadedMass, 0.0);
        // Rounding of sums of floats, and of advection, whose weights are within 2e-6 of whole cells. 16-bit storage adds one rounding per
        // value.
        EXPECT_NEAR(before - q.mass, *q.fadedMass + leaves, first * (half() ? std::exp2(-12.0) : 2e-5)) << "step " << n;
        before = q.mass;
        all += *q.fadedMass;
    }
    EXPECT_GT(all, 0.99 * first) << "almost all smoke must fade before the side";
    EXPECT_LT(before, 1e-3 * first);
    const Field density = densityOf(simulation), colours = fieldOf(simulation.simulator.fields().smoke.colours[0]);
    forEach(density.size(), [&](ivec3 c) { EXPECT_NEAR(colours(c).z, 0.25 * density(c).x, 1e-7 + 1e-3 * density(c).x); });
}

// The box moves past smoke at rest. The smoke approaches the trailing side at the speed of the box.
TEST_P(SideFade, MovesWithABoxThatFollows) {
    constexpr float kDt = 1.0f / 64;
    constexpr int kSteps = 20;
    Settings s = stillBox({32, 4, 4}, kH);
    s.grid.precision = GetParam();
    s.grid.sides[0] = s.grid.sides[1] = Side::Open;
    s.pressure.iterations = 2;
    s.timeStep = kDt;
    s.flow.sideFade = kWidth;
    s.initial.push_back({.shape = {ShapeKind::Box, {0.125f, 0.0f, 0.0f}, 0.0f, {0.03f, 1.0f, 1.0f}}, .density = 1.0f});
    const glm::vec3 middle = 0.5f * s.grid.size;
    s.follow.keys = {{.t = 0.0f, .centre = middle}, {.t = kSteps * kDt, .centre = middle + glm::vec3(16.0f * kH, 0.0f, 0.0f)}};
    Simulation simulation(device(), s);
    constexpr int kCells = 6;  // number of smoke cells, starting at the world cell kFirst
    constexpr int kFirst = 13;
    double exponents[kCells] = {};
    const auto distance = [&](int n) {
        return (kFirst + n + 0.5 - static_cast<double>(simulation.simulator.state().followed.x)) * double(kH);
    };
    for (int step = 0; step < kSteps; ++step) {
        double before[kCells];
        for (int n = 0; n < kCells; ++n) before[n] = depthAt(distance(n));
        simulation.step();
        for (int n = 0; n < kCells; ++n) {
            const double now = depthAt(distance(n));
            exponents[n] += now > 0.0 ? std::max(0.0, now - before[n]) + 0.5 * double(kDt) * (now + before[n]) : 0.0;
        }
    }
    const auto gone = static_cast<int>(simulation.simulator.state().followed.x);
    ASSERT_GE(gone, 12);
    const Field density = densityOf(simulation);
    for (int n = std::max(0, gone - kFirst); n < kCells; ++n)
        EXPECT_NEAR(density({kFirst + n - gone, 2, 2}).x, std::exp(-exponents[n]),
                    kSteps * (half() ? std::exp2(-12.0) : 12.0 * 6e-8) * std::exp(-exponents[n]) + 1e-6)
            << n;
    EXPECT_GT(exponents[std::max(0, gone - kFirst)], 3.0);
}

// Finer scalar cells, flat grids, and a setting that changes during the run. When the fade is off, there is no buffer and no report value.
TEST_P(SideFade, WorksWithFinerScalarsAndCanBeTurnedOff) {
    Settings s = stillBox({16, 16, 1}, 1.0f / 16);
    s.grid.precision = GetParam();
    s.grid.scalarRatio = 2;
    s.grid.sides.fill(Side::Open);
    s.pressure.iterations = 2;
    s.timeStep = 1.0f / 32;
    s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.0f), 0.0f, glm::vec3(2.0f)}, .density = 1.0f});
    Simulation simulation(device(), s);
    simulation.step();
    EXPECT_FALSE(simulation.measure().fadedMass.has_value());
    EXPECT_EQ(simulation.simulator.fields().smoke.faded.bytes(), 0u);
    const Field whole = densityOf(simulation);
    s.flow.sideFade = 0.25f;
    simulation.simulator.change(s);
    EXPECT_EQ(simulation.measure().fadedMass, 0.0);
    simulation.step();
    const Field faded = densityOf(simulation);
    const double rounding = half() ? std::exp2(-11.0) : 1e-6;
    const auto depth = [](int c) { return kDepth * std::pow(std::max(0.0, 1.0 - (std::min(c, 31 - c) + 0.5) / 32.0 / 0.25), 2.0); };
    forEach({32, 32, 1}, [&](ivec3 c) { EXPECT_NEAR(faded(c).x, whole(c).x * std::exp(-(depth(c.x) + depth(c.y)) / 32.0), rounding); });
    EXPECT_GT(simulation.measure().fadedMass.value_or(0.0), 0.0);
    s.flow.sideFade = 0.0f;
    simulation.simulator.change(s);
    simulation.step();
    EXPECT_FALSE(simulation.measure().fadedMass.has_value());
    const Field after = densityOf(simulation);
    forEach({32, 32, 1}, [&](ivec3 c) { EXPECT_EQ(after(c).x, faded(c).x); });
}

}  // namespace
}  // namespace wisp::test
