// SPDX-License-Identifier: MIT
// Changes by the user while the simulation runs.
#include "compute/sim/shaders.h"
#include "tests/physics/simulation.h"

#include <functional>
#include <utility>

namespace wisp::test {
namespace {

class ByHand : public PhysicsTest {
protected:
    static Settings scene() {
        Settings s = stillBox({20, 16, 12}, 0.0625f);
        s.byHand = true;
        s.timeStep = 1.0f / 64;
        s.pressure.iterations = 20;
        s.flow.vorticity = 0.5f;
        s.initial.push_back({.shape = {.centre = {0.7f, 0.5f, 0.4f}, .radius = 0.25f}, .density = 1.0f});
        s.obstacles.push_back({.shape = {.centre = {0.375f, 0.5f, 0.375f}, .radius = 0.15f}});
        return s;
    }
    static double largestDifference(const Field& a, const Field& b) {
        double most = 0.0;
        for (std::size_t i = 0; i < a.count(); ++i)
            for (int n = 0; n < 4; ++n) most = std::max(most, std::abs(a.values()[i][n] - b.values()[i][n]));
        return most;
    }
};

TEST_F(ByHand, ADraggedBodyActsLikeAMovingBody) {
    const glm::vec3 velocity(1.0f, 0.25f, 0.0f);  // displacements are exact in floats
    Settings s = scene();
    Simulation held(device(), s);
    s.obstacles[0].velocity = velocity;
    Simulation moving(device(), s);
    for (int step = 0; step < 12; ++step) {
        const glm::vec3 from = s.obstacles[0].shape.centre + velocity * (static_cast<float>(step) / 64.0f);
        held.simulator.overrideMotion(0, {from, from + velocity / 64.0f});
        held.step();
        moving.step();
    }
    EXPECT_EQ(largestDifference(densityOf(held), densityOf(moving)), 0.0);
    EXPECT_EQ(largestDifference(velocityOf(held), velocityOf(moving)), 0.0);
    EXPECT_EQ(held.measure().leakedMass, 0.0);
    EXPECT_GT(held.measure().maxSpeed, 0.9) << "the dragged body must push the fluid";
    EXPECT_THROW(held.simulator.overrideMotion(1, {}), std::out_of_range);
}

TEST_F(ByHand, AReleasedBodyStaysAtItsPosition) {
    Settings s = scene();
    Simulation simulation(device(), s);
    const glm::vec3 from = s.obstacles[0].shape.centre, to = from + glm::vec3(0.04f, 0.0f, 0.0f);
    simulation.simulator.overrideMotion(0, {from, to});
    simulation.step();
    const Field moved = fieldOf(simulation.simulator.fields().domain.aperture);
    s.obstacles[0].shape.centre = to;
    simulation.simulator.change(s);
    simulation.step();
    EXPECT_EQ(largestDifference(fieldOf(simulation.simulator.fields().domain.aperture), moved), 0.0);
    const Field velocity = velocityOf(simulation);
    forEach(moved.size(), [&](ivec3 c) {
        if (moved(c).x == 0.0 && c.x > 0 && c.x < 20) {
            EXPECT_EQ(velocity(c).x, 0.0) << "the body must be at rest";
        }
    });
}

TEST_F(ByHand, APaintedStrokeIsAnEmitterOfOneStep) {
    Settings s = scene();
    EmitterSettings e;
    e.shape = {.kind = ShapeKind::Capsule, .centre = {0.8f, 0.6f, 0.4f}, .radius = 0.15f, .half = {0.1f, 0.05f, 0.0f}};
    e.velocity = {0.5f, 0.5f, 0.0f};
    e.hasVelocity = true;
    e.density = 2.0f;
    Simulation painted(device(), s), emitted(device(), s);
    s.emitters.push_back(e);
    emitted.simulator.change(s);  // not at the start, where an emitter fills its shape
    for (int step = 0; step < 5; ++step) {
        painted.simulator.paint(e);
        painted.step();
        emitted.step();
    }
    EXPECT_EQ(largestDifference(densityOf(painted), densityOf(emitted)), 0.0);
    EXPECT_EQ(largestDifference(velocityOf(painted), velocityOf(emitted)), 0.0);
    const double before = painted.measure().mass;
    painted.step();
    EXPECT_NEAR(painted.measure().mass, before, 0.02 * before) << "no stroke was painted in this step";
}

// Before the first colour all smoke is white, and its image does not change. Then only the painted smoke has the colour.
TEST_F(ByHand, TheFirstColourCanBeAddedDuringARun) {
    for (const Precision precision : {Precision::Float, Precision::Half}) {
        Settings s = scene();
        s.grid.precision = precision;
        s.flow.densityDecay = 0.5f;
        s.lights.push_back({});
        s.render.size = {32, 32};
        s.camera = {.eye = {0.6f, 0.5f, 2.5f}, .target = {0.6f, 0.5f, 0.0f}};
        Simulation simulation(device(), s), white(device(), s);
        simulation.step(3);
        white.step(3);
        simulation.draw();
        const Field before = fieldOf(simulation.renderer.radiance());
        s.coloured = true;
        simulation.shaders.setOptions(shaderOptions(s));
        simulation.simulator.change(s);
        simulation.recorder.begin();
        simulation.simulator.catchUp(simulation.recorder);
        simulation.recorder.submit();
        simulation.draw();
        const Field after = fieldOf(simulation.renderer.radiance());
        double brightest = 0.0;
        forEach(before.size(), [&](ivec3 p) {  // see ColouredSmoke.WhiteSmokeLooksLikeUncolouredSmoke
            for (int n = 0; n < 4; ++n) EXPECT_NEAR(after(p)[n], before(p)[n], before(p)[n] / 1024.0);
            brightest = std::max(brightest, before(p).x);
        });
        EXPECT_GT(brightest, 0.1);

        EmitterSettings e;  // away from the other smoke, and wider than its soft edge
        e.shape = {.kind = ShapeKind::Capsule, .centre = {0.3f, 0.85f, 0.4f}, .radius = 0.16f, .half = {0.1f, 0.0f, 0.0f}};
        e.density = 1.0f;
        simulation.simulator.paint(e);  // the first stroke is white
        white.simulator.paint(e);
        simulation.step();
        white.step();
        e.colour = {1.0f, 0.25f, 0.0f};
        e.shape.centre.x = 0.9f;
        simulation.simulator.paint(e);
        white.simulator.paint(e);
        simulation.step();
        white.step();
        const Field density = densityOf(simulation), K = fieldOf(simulation.simulator.fields().smoke.colours[0]);
        EXPECT_EQ(largestDifference(density, densityOf(white)), 0.0) << "colours do not change the smoke";
        dvec3 sums(0.0);
        double mass = 0.0;
        forEach(density.size(), [&](ivec3 c) {
            EXPECT_NEAR(K(c).x, density(c).x, 1e-36) << "all smoke has red 1";
            mass += density(c).x;
            sums += dvec3(K(c));
        });
        const double inside = density({14, 13, 6}).x;  // on the axis of the capsule
        EXPECT_GT(inside, 0.9);
        EXPECT_NEAR(K({14, 13, 6}).y, 0.25 * inside, 0.02);  // the edge of the stroke is three cells away
        EXPECT_NEAR(K({14, 13, 6}).z, 0.0, 0.02);
        EXPECT_NEAR(mass - sums.y, 0.75 * (mass - sums.z), 0.01 * (mass - sums.z))
            << "painted smoke has green 0.25 and blue 0, so the missing green is 3/4 of the missing blue";
        EXPECT_GT(mass - sums.z, 0.1 * mass);
        EXPECT_GT(sums.z, 0.4 * mass) << "the white smoke must remain";
    }
}

TEST_F(ByHand, ChangedSettingsKeepTheState) {
    Settings s = scene();
    Simulation simulation(device(), s);
    simulation.step(4);
    s.timeStep = 1.0f / 128;
    s.flow.densityDecay = 0.5f;
    s.obstacles.push_back({.shape = {.centre = {0.9f, 0.3f, 0.3f}, .radius = 0.1f}});
    s.emitters.emplace_back();
    simulation.simulator.change(s);
    simulation.step(4);
    EXPECT_DOUBLE_EQ(simulation.simulator.time(), 4.0 / 64 + 4.0 / 128);
    EXPECT_EQ(simulation.simulator.stepCount(), 8u);
    EXPECT_EQ(simulation.measure().leakedMass, 0.0);
    EXPECT_LT(densityOf(simulation)({14, 4, 4}).x, 1e-6) << "no smoke inside the new body";
}

// Scenes whose obstacles cannot move have no memory for obstacles of the step before.
TEST_F(ByHand, SettingsChangeWithFixedObstaclesToo) {
    Settings s = scene();
    Simulation interactive(device(), s);
    s.byHand = false;
    Simulation fixed(device(), s);
    for (Simulation* simulation : {&interactive, &fixed}) {
        simulation->step(4);
        Settings changed = simulation->simulator.settings();
        changed.timeStep = 1.0f / 128;
        changed.grid.sides.fill(Side::Open);
        simulation->simulator.change(changed);
        simulation->step(4);
    }
    EXPECT_EQ(largestDifference(velocityOf(interactive), velocityOf(fixed)), 0.0);
    EXPECT_EQ(largestDifference(densityOf(interactive), densityOf(fixed)), 0.0);
    EXPECT_LT(fixed.measure().divergenceRms, 1e-2) << "the pressure must know the open sides";
}

TEST_F(ByHand, FixedSettingsAreRefusedByKey) {
    Settings s = scene();
    Simulation simulation(device(), s);
    const std::pair<const char*, std::function<void(Settings&)>> cases[] = {
        {"grid.cells", [](Settings& t) { t.grid.cells *= 2u; }},
        {"grid.precision", [](Settings& t) { t.grid.precision = Precision::Half; }},
        {"grid.sides", [](Settings& t) { t.grid.sides[0] = t.grid.sides[1] = Side::Periodic; }},
        {"advection.filter", [](Settings& t) { t.advection.filter = Filter::Hardware; }},
        {"pressure.solver", [](Settings& t) { t.pressure.solver = PressureSolver::Mgpcg; }},
        {"pressure.tolerance", [](Settings& t) { t.pressure.tolerance = 0.01f; }},
        {"flow.buoyancy", [](Settings& t) { t.flow.buoyancy = 0.1f; }},
        {"emitter[0].temperature", [](Settings& t) { t.emitters.emplace_back().temperature = 10.0f; }},
        {"initial[0].temperature", [](Settings& t) { t.initial[0].temperature = 10.0f; }},
        {"stroke[0].fuel", [](Settings& t) { t.strokes.emplace_back().fuel = 0.5f; }},
        {"emitter[0].fuel_rate", [](Settings& t) { t.emitters.emplace_back().fuelRate = 0.5f; }},
        {"initial", [](Settings& t) { t.initial[0].density = 2.0f; }},
    };
    for (const auto& [key, change] : cases) {
        Settings wanted = s;
        change(wanted);
        EXPECT_EQ(fixedKey(s, wanted), key);
        EXPECT_THROW(simulation.simulator.change(wanted), std::invalid_argument) << key;
    }
    EXPECT_EQ(fixedKey(s, s), "");
    Settings coloured = s;
    coloured.coloured = true;
    EXPECT_EQ(fixedKey(s, coloured), "");
    EXPECT_EQ(fixedKey(coloured, s), "emitter.colour");
    simulation.step();
    EXPECT_EQ(simulation.simulator.stepCount(), 1u);
}

}  // namespace
}  // namespace wisp::test
