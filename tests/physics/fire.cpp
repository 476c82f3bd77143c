// SPDX-License-Identifier: MIT
// Fire: energy, cooling, and expansion by Gauss's theorem at every pressure ratio.
#include "tests/physics/sparse.h"

#include <cmath>

namespace wisp::test {
namespace {

// Gas of this fuel and temperature everywhere in a closed box that does not expand.
Settings still(float fuel, float temperature) {
    Settings s = stillBox({8, 8, 8}, 1.0f / 8);
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 1};
    s.fire.expansion = s.fire.cooling = s.fire.soot = 0.0f;
    s.timeStep = 1.0f / 60;
    s.initial.push_back(
        {.shape = {.kind = ShapeKind::Box, .centre = glm::vec3(0.5f), .half = glm::vec3(1.0f)}, .temperature = temperature, .fuel = fuel});
    return s;
}

class Fire : public SparsePhysics {
protected:
    dvec4 gasIn(Simulation& s) { return densityOf(s)({3, 4, 5}); }
};

TEST_F(Fire, BurningKeepsTheEnergyOfAClosedBox) {
    for (const FireMixing mixing : {FireMixing::Premixed, FireMixing::Diffusion}) {
        Settings s = still(0.75f, 600.0f);
        s.fire.mixing = mixing;
        Simulation simulation(device(), s);
        const int steps = 30;
        simulation.step(steps);
        // Half a second at the burn rate k = 6 / s. The logistic equation has the rate 4 k.
        const double k = 6.0, t = steps * double(s.timeStep), odds = 0.75 / 0.25 * std::exp(-4.0 * k * t);
        const double exact = mixing == FireMixing::Premixed ? 0.75 * std::exp(-k * t) : odds / (1.0 + odds);
        // Each step has an exponential, with 3 units, and a product.
        const dvec4 gas = gasIn(simulation);
        EXPECT_NEAR(gas.z, exact, steps * 8.0 * 6e-8);
        EXPECT_NEAR(gas.y + 1400.0 * gas.z, 600.0 + 1400.0 * 0.75, steps * 3.0 * 6e-8 * 1700.0) << "heat";
        const Quality q = simulation.measure();
        ASSERT_TRUE(q.fire.has_value());
        EXPECT_NEAR(q.fire->fuel, 1.2 * 293.0 / (293.0 + gas.y) * gas.z, 1e-5 * q.fire->fuel) << "in a cubic metre";
        const double rate = mixing == FireMixing::Premixed ? k : 4.0 * k * (1.0 - gas.z);
        EXPECT_NEAR(q.fire->heatReleased, 1005.0 * 1400.0 * rate * q.fire->fuel, 1e-5 * q.fire->heatReleased);
        EXPECT_EQ(q.fire->hottest, gas.y);
    }
}

TEST_F(Fire, DoesNotBurnBelowIgnition) {
    Settings s = still(0.75f, 429.0f);
    Simulation simulation(device(), s);
    simulation.step(5);
    EXPECT_EQ(gasIn(simulation).z, 0.75);
    EXPECT_EQ(simulation.measure().fire->heatReleased, 0.0);
}

// 1 / T^3 grows linearly.
TEST_F(Fire, CoolsByRadiation) {
    Settings s = still(0.0f, 1400.0f);
    s.initial.push_back({.shape = {.centre = {0.1f, 0.1f, 0.1f}, .radius = 0.01f}, .temperature = 1400.0f, .fuel = 1e-6f});
    s.fire.cooling = 3000.0f;
    for (const int steps : {10, 40}) {
        Simulation simulation(device(), s);
        simulation.step(steps);
        const double t = steps * double(s.timeStep), exact = 1400.0 / std::cbrt(1.0 + 3.0 * 3000.0 * t / 1400.0);
        EXPECT_NEAR(gasIn(simulation).y, exact, steps * 20.0 * 6e-8 * 1400.0);
    }
}

// Fuel of strokes that cross adds up to a share of at most 1, smoke and its colours to any density. Hot gas ignites it.
TEST_F(Fire, DrawnFuelCanBeIgnited) {
    Settings s = stillBox({32, 24, 1}, 1.0f / 32);
    s.fire.expansion = 0.0f;
    s.timeStep = 1.0f / 60;
    const MotionSegment way{{0.2f, 0.375f, 0.0f}, {0.8f, 0.375f, 0.0f}};
    const StrokeSettings stroke{.radius = 0.1f, .force = 0.0f, .density = 0.75f, .fuel = 0.75f};
    s.strokes = {stroke};
    s.strokes[0].keys = {{0.0f, way.from}, {s.timeStep, way.to}};
    Simulation simulation(device(), s);
    simulation.simulator.paint(stroke, way);
    simulation.step();
    const dvec4 gas = densityOf(simulation)({16, 11, 0});
    EXPECT_EQ(gas.z, 1.0);
    EXPECT_GT(gas.x, 1.4);
    EXPECT_NEAR(fieldOf(simulation.simulator.fields().smoke.colours[0])({16, 11, 0}).z, gas.x, 1e-6);
    EXPECT_EQ(simulation.measure().fire->heatReleased, 0.0) << "cold fuel must not burn";
    simulation.simulator.paint({.radius = 0.1f, .force = 0.0f, .density = 0.0f, .temperature = s.fire.heat}, way);
    simulation.step();
    EXPECT_GT(simulation.measure().fire->heatReleased, 0.0);
    simulation.step(5);
    EXPECT_LT(densityOf(simulation)({16, 11, 0}).z, 0.9);
}

TEST_F(Fire, PaintedFuelCanBeIgnited) {
    Settings s = still(0.5f, 0.0f);
    Simulation simulation(device(), s);
    EmitterSettings e{.shape = {.kind = ShapeKind::Capsule, .centre = glm::vec3(0.5f), .radius = 0.6f, .half = {0.1f, 0.0f, 0.0f}}};
    e.fuel = 1.0f;
    simulation.simulator.paint(e);
    simulation.step();
    EXPECT_EQ(gasIn(simulation).z, 1.0);
    EXPECT_EQ(simulation.measure().fire->heatReleased, 0.0) << "cold fuel must not burn";
    e.fuel = 0.0f;
    e.temperature = s.fire.heat;
    simulation.simulator.paint(e);
    simulation.step();
    EXPECT_GT(simulation.measure().fire->heatReleased, 0.0);
    simulation.step(5);
    EXPECT_LT(gasIn(simulation).z, 0.9);
}

// A ball of fuel in a box with open sides.
Settings ball(std::uint32_t ratio, bool sparse) {
    Settings s = plume(ratio);
    s.grid.sparse = sparse;
    s.grid.cells = {48, 48, 48};
    s.grid.size = glm::vec3(48.0f / 64);
    s.emitters.clear();
    s.flow.buoyancy = s.flow.vorticity = s.flow.detailDecay = 0.0f;
    s.advection.filter = Filter::Exact;
    s.pressure.iterations = 6;
    s.fire.cooling = 0.0f;
    s.fire.burnRate = 20.0f;
    s.initial.push_back({.shape = {.centre = glm::vec3(24.3f, 23.8f, 24.1f) / 64.0f, .radius = 7.0f / 64},
                         .density = 1.0f,
                         .temperature = 500.0f,
                         .fuel = 1.0f});
    return s;
}

// What flows out of the box is the integral of the divergence, which the projection leaves.
TEST_F(Fire, OutflowIsTheIntegralOfTheDivergence) {
    for (const auto& [ratio, sparse] : {std::pair(1u, false), {2u, false}, {4u, false}, {2u, true}, {4u, true}}) {
        SCOPED_TRACE(testing::Message() << "ratio " << ratio << (sparse ? ", sparse" : ""));
        Settings s = ball(ratio, sparse);
        s.pressure.iterations = 20;
        Simulation simulation(device(), s);
        simulation.step(4);
        const Quality q = simulation.measure();
        std::printf("outflow %.7e, expansion %.7e m3/s; divergence %.1e, fine %.1e 1/s\n", q.fire->outflow, q.fire->expansion,
                    q.divergenceRms, q.fineDivergenceRms);
        EXPECT_GT(q.fire->expansion, 0.01);
        EXPECT_NEAR(q.fire->outflow, q.fire->expansion, 1e-5 * q.fire->expansion);
    }
}

// The closed forms of a step do not depend on its length. The mean height of the heat of a small flame over a second, with half the step.
TEST_F(Fire, AFlameIsAsHighWithHalfTheTimeStep) {
    const auto heightOf = [&](float timeStep) {
        Settings s = stillBox({24, 40, 24}, 1.0f / 40);
        s.grid.sides = {Side::Open, Side::Open, Side::Wall, Side::Open, Side::Open, Side::Open};
        s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 2};
        s.grid.pressureRatio = 2;
        s.flow.buoyancy = 9.81f / 293;
        s.timeStep = timeStep;
        EmitterSettings e{.shape = {.centre = {0.3f, 0.02f, 0.3f}, .radius = 0.11f}, .temperature = 500.0f};
        e.fuel = 0.8f;
        s.emitters.push_back(e);
        Simulation simulation(device(), s);
        const int second = static_cast<int>(std::lround(1.0f / timeStep));
        simulation.step(3 * second / 2);
        double moment = 0.0, heat = 0.0;
        for (int n = 0; n < 20; ++n) {
            simulation.step(second / 20);
            const Field gas = densityOf(simulation);
            forEach(gas.size(), [&](ivec3 c) {
                moment += gas(c).y * (c.y + 0.5) / 40;
                heat += gas(c).y;
            });
        }
        return moment / heat;
    };
    const double once = heightOf(1.0f / 60), half = heightOf(1.0f / 120);
    std::printf("height %.4f m, with half the time step %.4f m\n", once, half);
    EXPECT_NEAR(half, once, 0.03 * once);
}

// Gas that does not cool stays hot, and nothing grows without bound in a flame that lasts.
TEST_F(Fire, WithoutCoolingTemperaturesStayFinite) {
    Settings s = stillBox({16, 24, 16}, 1.0f / 24);
    s.grid.sides = {Side::Open, Side::Open, Side::Wall, Side::Open, Side::Open, Side::Open};
    s.grid.precision = Precision::Half;
    s.grid.pressureRatio = 2;
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 2};
    s.flow.buoyancy = 9.81f / 293;
    s.fire.cooling = 0.0f;
    s.timeStep = 1.0f / 60;
    EmitterSettings e{.shape = {.centre = {0.33f, 0.05f, 0.33f}, .radius = 0.15f}, .temperature = 600.0f};
    e.fuel = 1.0f;
    s.emitters.push_back(e);
    Simulation simulation(device(), s);
    simulation.step(240);
    const Quality q = simulation.measure();
    EXPECT_TRUE(q.finite()) << q.notFinite;
    // The emitter refills the fuel of gas that has burnt, which then burns on. Halves end at 65504.
    EXPECT_GT(q.fire->hottest, 2000.0);
    EXPECT_LE(q.fire->hottest, 65504.0);
}

// Gas that is 1400 K hotter than the air takes 1693 / 293 = 5.78 times as much room. The integral of the density stays.
TEST_F(Fire, ABurntBallGrows) {
    Settings s = ball(2, false);
    s.grid.cells = {56, 56, 56};
    s.grid.size = glm::vec3(56.0f / 64);
    s.initial[0].shape = {.centre = glm::vec3(28.3f, 27.8f, 28.1f) / 64.0f, .radius = 15.0f / 64};
    s.initial[0].temperature = 0.0f;
    s.pressure.iterations = 2;
    s.advection.scheme = AdvectionScheme::Cubic;
    s.timeStep = 1.0f / 1280;
    s.fire.soot = s.fire.ignition = 0.0f;
    s.fire.burnRate = 20.0f;
    Simulation simulation(device(), s);
    const auto volumeOf = [&](Simulation& of) {  // [cells], of gas with the density of the ball's centre
        const Field gas = densityOf(of);
        double volume = 0.0;
        for (const dvec4& v : gas.values()) volume += v.x / gas({28, 28, 28}).x;
        return volume;
    };
    const double mass = simulation.measure().mass, before = volumeOf(simulation);
    simulation.step(320);
    const Quality q = simulation.measure();
    const double grown = volumeOf(simulation) / before, expected = (293.0 + q.fire->hottest) / 293.0;
    std::printf("volume %.4f times, expected %.4f; integral of the density %.5f of before; hottest %.1f K\n", grown, expected,
                q.mass / mass, q.fire->hottest);
    EXPECT_NEAR(q.fire->hottest, 1400.0, 10.0);
    EXPECT_NEAR(grown, expected, 0.02 * expected);
    EXPECT_NEAR(q.mass, mass, 0.02 * mass);
}

}  // namespace
}  // namespace wisp::test
