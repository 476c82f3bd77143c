// SPDX-License-Identifier: MIT
// Strokes of a brush.
#include "tests/physics/simulation.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

constexpr float kCell = 1.0f / 64;

Settings stillPlane() {
    Settings s = stillBox({64, 48, 1}, kCell);
    s.pressure.iterations = 1;  // only the velocity before the solve matters
    s.coloured = true;
    return s;
}

class Strokes : public PhysicsTest {};

// The result does not depend on how many steps a stroke takes, nor on its speed.
TEST_F(Strokes, DoNotDependOnTheStep) {
    const StrokeSettings stroke{.radius = 0.05f,
                                .force = 0.0f,
                                .density = 0.75f,
                                .colour = {0.5f, 1.0f, 0.25f},
                                .keys = {{0.0f, {0.2f, 0.2f, 0.0f}}, {0.4f, {0.8f, 0.5f, 0.0f}}}};
    const auto painted = [&](int parts) {
        Settings s = stillPlane();
        s.strokes = {stroke};
        s.timeStep = 0.4f / static_cast<float>(parts);
        Simulation simulation(device(), s);
        simulation.step(parts + 2);
        return std::pair(densityOf(simulation), fieldOf(simulation.simulator.fields().smoke.colours[0]));
    };
    const auto [once, onceColour] = painted(1);
    const auto [often, oftenColour] = painted(32);
    double most = 0.0;
    forEach(once.size(), [&](ivec3 c) {
        most = std::max(most, once(c).x);
        EXPECT_NEAR(often(c).x, once(c).x, 32.0 * 6e-7);  // an error function is exact to 1.5e-7, and each of two numbers uses two
        for (int n = 0; n < 3; ++n) EXPECT_NEAR(oftenColour(c)[n], often(c).x * double(stroke.colour[n]), 32.0 * 6e-8);
        EXPECT_NEAR(onceColour(c).x, 0.5 * once(c).x, 6e-8);
    });
    // At the middle of a stroke with 6.7 radii on both sides, the integral of the Gaussian is complete up to 1e-11. The nearest cell centre
    // is at most 0.71 h away.
    EXPECT_LE(most, 0.75 + 1e-6);
    EXPECT_GE(most, 0.75 * std::exp(-0.5 * std::pow(0.71 * double(kCell) / 0.05, 2.0)));
}

// In both directions along x.
TEST_F(Strokes, PushAlongTheirDirection) {
    for (const float direction : {1.0f, -1.0f}) {
        Settings s = stillPlane();
        const float x = 0.5f - direction * 0.3f;
        s.strokes = {
            {.radius = 0.04f, .force = 20.0f, .density = 0.0f, .keys = {{0.0f, {x, 0.375f, 0.0f}}, {0.1f, {1.0f - x, 0.375f, 0.0f}}}}};
        s.timeStep = 0.1f / 8;
        s.advection.scheme = AdvectionScheme::SemiLagrangian;
        Simulation simulation(device(), s);
        simulation.step(8);
        double mean = 0.0, across = 0.0;
        const Field u = velocityOf(simulation);
        forEach({64, 48, 1}, [&](ivec3 c) {
            mean += u(c).x;
            across += u(c).y;
        });
        EXPECT_GT(double(direction) * mean, 10.0) << "the flow has the direction of the stroke";
        EXPECT_LT(std::abs(across), 1e-3 * std::abs(mean)) << "the flow is symmetric above and below";
    }
}

// A stroke of the smallest lengths of floats has almost no effect, and no NaN.
TEST_F(Strokes, MayBeAsShortAsFloatsAre) {
    Simulation simulation(device(), stillPlane());
    for (const float length : {1e-30f, 1e-44f, 0.0f})
        simulation.simulator.paint({.radius = 0.05f, .force = 1e4f}, {{0.0f, 0.0f, 0.0f}, {0.0f, length, 0.0f}});
    simulation.step();
    const Quality quality = simulation.measure();
    EXPECT_TRUE(quality.finite());
    EXPECT_LT(quality.mass, 1e-20);
    EXPECT_LT(quality.maxSpeed, 1e-20);
}

TEST_F(Strokes, LeaveNothingInSolids) {
    Settings s = stillPlane();
    s.obstacles.push_back({.shape = {.centre = {0.5f, 0.375f, 0.5f * kCell}, .radius = 0.1f}});
    s.strokes = {{.radius = 0.04f, .force = 20.0f, .density = 1.0f, .keys = {{0.0f, {0.1f, 0.375f, 0.0f}}, {0.1f, {0.9f, 0.375f, 0.0f}}}}};
    s.timeStep = 0.05f;
    Simulation simulation(device(), s);
    simulation.step(2);
    const Quality quality = simulation.measure();
    EXPECT_EQ(quality.leakedMass, 0.0);
    EXPECT_GT(quality.mass, 0.0);
}

}  // namespace
}  // namespace wisp::test
