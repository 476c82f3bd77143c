// SPDX-License-Identifier: MIT
// Forces of a fluid on bodies: buoyancy, drag, friction.
#include "tests/physics/liquid_tank.h"
#include "tests/physics/simulation.h"
#include "tests/support/verification.h"

#include <fmt/format.h>

#include <glm/geometric.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace wisp::test {
namespace {

constexpr double kPi = std::numbers::pi;

class BodyForces : public PhysicsTest {
protected:
    BodyForce onBody(Simulation& s, std::size_t n = 0) { return s.measure().bodies.at(n); }

    /// Volume of the bodies on the pressure grid [m^3]: the closed area of faces across `axis`, times the distance of such faces. Faces on
    /// the sides of the box do not count.
    double volumeOf(Simulation& s, int axis) {
        const Settings& settings = s.simulator.settings();
        const Field aperture = fieldOf(s.simulator.fields().domain.aperture);
        const int r = static_cast<int>(settings.grid.pressureRatio);
        double closed = 0.0;
        forEach(ivec3(settings.grid.cells), [&](ivec3 c) {
            if (c[axis] > 0 && c[axis] % r == 0) closed += 1.0 - aperture(c)[axis];
        });
        return closed * r * std::pow(static_cast<double>(settings.grid.cellSize()), 3.0);
    }
};

// The air in a closed box stays at rest when it is pushed: q = U y. The force on a body is -rho V U / dt, where V is the volume of the
// body.
TEST_F(BodyForces, OfAPushEqualsThatOnTheDisplacedAir) {
    for (const std::uint32_t ratio : {1u, 2u, 4u}) {
        Settings s = stillBox(glm::uvec3(32), 1.0f / 32.0f);
        s.grid.pressureRatio = ratio;
        s.flow.fluidDensity = 1.3f;
        s.pressure = {.solver = PressureSolver::Mgpcg, .iterations = 20};
        s.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.5f), 0.0f, glm::vec3(1.0f)}, .velocity = {0.0f, 0.5f, 0.0f}});
        s.obstacles.push_back({.shape = {.centre = {0.47f, 0.52f, 0.5f}, .radius = 0.2f}});
        s.obstacles.push_back({.shape = {ShapeKind::Box, {0.8f, 0.15f, 0.2f}, 0.0f, {0.1f, 0.05f, 0.1f}}});
        Simulation simulation(device(), s);
        const double volume = volumeOf(simulation, 1), expected = -1.3 * 0.5 / static_cast<double>(s.timeStep);
        simulation.step();
        const Quality q = simulation.measure();
        const dvec3 sum = vec(q.bodies.at(0).force) + vec(q.bodies.at(1).force);
        // The error of the solution is the residual times the condition number of the equation, (cells / pi)^2. Rounding adds 1e-5.
        const double tolerance = (q.residual * std::pow(32.0 / ratio / kPi, 2.0) * 4.0 + 1e-5) * std::abs(expected) * volume;
        EXPECT_NEAR(sum.y, expected * volume, tolerance) << ratio;
        EXPECT_NEAR(sum.x, 0.0, tolerance) << ratio;
        EXPECT_NEAR(sum.z, 0.0, tolerance) << ratio;
        const double h = ratio / 32.0, ball = 4.0 / 3.0 * kPi * 0.008;
        EXPECT_NEAR(vec(q.bodies[0].force).y, expected * ball, std::abs(expected) * ball * h * h / 0.04) << ratio;  // second order
        EXPECT_EQ(vec(q.bodies[0].friction), dvec3(0.0));
    }
}

// The principle of Archimedes.
TEST_F(BodyForces, OfWaterAtRestIsTheWeightOfDisplacedWater) {
    Settings s = tank({24, 24, 24}, 1.0f / 24.0f);
    s.flow.gravity = {0.0f, -9.81f, 0.0f};
    s.liquid.fluidDensity = 998.0f;
    s.pressure.iterations = 8;
    s.initial.push_back(water(glm::vec3(0.0f), {1.0f, 0.75f, 1.0f}));
    s.obstacles.push_back({.shape = {.centre = {0.5f, 0.375f, 0.5f}, .radius = 0.2f}});
    Simulation simulation(device(), s);
    const double weight = 998.0 * 9.81 * volumeOf(simulation, 1);
    for (int n = 0; n < 5; ++n) {
        simulation.step(4);
        const BodyForce body = onBody(simulation);
        // The water moves at less than 1e-3 sqrt(g H) (see LiquidStill). The force that causes this motion is the same share of its weight.
        EXPECT_NEAR(vec(body.force).y, weight, 1e-3 * weight);
        EXPECT_NEAR(vec(body.force).x, 0.0, 1e-3 * weight);
        EXPECT_NEAR(vec(body.force).z, 0.0, 1e-3 * weight);
        EXPECT_NEAR(glm::length(vec(body.torque)), 0.0, 1e-3 * weight * 0.2);
    }
}

// A sphere begins to rotate slowly in a fluid at rest (Landau, Lifshitz, Fluid Mechanics, section 24). The torque tends to T = -8 pi mu R^3
// omega. In this time, viscosity does not reach the sides of the box.
TEST_F(BodyForces, RotatingSphereHasStokesTorque) {
    const std::uint32_t across = sized(8u, 12u);  // cells
    const float h = 1.0f / static_cast<float>(across);
    constexpr double kRadius = 0.5, kSpeed = 0.1, kDensity = 2.0;
    Settings s = stillBox(glm::uvec3(4 * across), h);
    s.flow.fluidDensity = static_cast<float>(kDensity);
    s.flow.viscosity = 1.0f;
    s.timeStep = 0.15f * h * h;
    s.pressure = {.solver = PressureSolver::Mgpcg, .iterations = 4};
    s.obstacles.push_back({.shape = {.centre = glm::vec3(2.0f), .radius = static_cast<float>(kRadius)},
                           .angularVelocity = {0.0f, 0.0f, static_cast<float>(kSpeed)}});
    for (const std::uint32_t sweeps : {0u, 8u}) {
        s.flow.viscositySweeps = sweeps;
        Simulation simulation(device(), s);
        const int steps = static_cast<int>(5 * across * across / 8);
        simulation.step(steps);
        const BodyForce body = onBody(simulation);
        const double t = steps * static_cast<double>(s.timeStep), tau = t / (kRadius * kRadius);
        const double growth = 1.0 + (1.0 / std::sqrt(kPi * tau) - std::exp(tau) * std::erfc(std::sqrt(tau))) / 3.0;
        const double expected = -8.0 * kPi * kDensity * std::pow(kRadius, 3.0) * kSpeed * growth;
        const double tolerance = 2.0 * std::pow(static_cast<double>(h) / kRadius, 2.0) * std::abs(expected);  // second order
        EXPECT_NEAR(vec(body.torque).z, expected, tolerance) << sweeps;
        EXPECT_NEAR(vec(body.torque).x, 0.0, 1e-5 * std::abs(expected));
        EXPECT_NEAR(vec(body.torque).y, 0.0, 1e-5 * std::abs(expected));
        EXPECT_NEAR(glm::length(vec(body.force)), 0.0, 1e-4 * std::abs(expected) / kRadius);
    }
}

// At Re 100. The normal test suite has few cells in a narrow channel, and checks only the order of magnitude.
TEST_F(BodyForces, SphereInAStreamHasKnownDrag) {
    const std::uint32_t across = sized(8u, 32u);                           // cells
    const glm::uvec2 channel = sized(glm::uvec2(6, 4), glm::uvec2(8, 5));  // diameters
    Settings s = stillBox({channel.x * across, channel.y * across, channel.y * across}, 1.0f / static_cast<float>(across));
    s.grid.sides = {Side::Inflow, Side::Open, Side::Wall, Side::Wall, Side::Wall, Side::Wall};
    s.timeStep = 0.4f / static_cast<float>(across);
    s.flow.viscosity = 0.01f;
    s.flow.fluidDensity = 1.0f;
    s.flow.inflow = {1.0f, 0.0f, 0.0f};
    s.pressure = {.solver = PressureSolver::Mgpcg, .iterations = 4};
    const glm::vec3 middle(0.35f * static_cast<float>(channel.x), glm::vec2(0.5f * static_cast<float>(channel.y)));
    s.initial.push_back({.shape = {ShapeKind::Box, middle, 0.0f, glm::vec3(100.0f)}, .velocity = {1.0f, 0.0f, 0.0f}});
    s.obstacles.push_back({.shape = {.centre = middle, .radius = 0.5f}});
    for (const std::uint32_t ratio : sized(std::vector{1u}, {1u, 2u})) {
        s.grid.pressureRatio = ratio;
        Simulation simulation(device(), s);
        simulation.step(static_cast<int>(sized(6.0, 25.0) / static_cast<double>(s.timeStep)));
        const BodyForce body = onBody(simulation);
        const double head = 0.5 * kPi * 0.25;
        const std::string at = fmt::format(", ratio {}, {} cells across", ratio, across);
        expectNear(Row::Drag, "drag coefficient" + at, vec(body.force).x / head, 1.09, sized(0.4, ratio == 1 ? 0.1 : 0.25) * 1.09);
        reportOnly(Row::Drag, "friction part of the drag coefficient" + at, vec(body.friction).x / head);
        EXPECT_LT(std::hypot(vec(body.force).y, vec(body.force).z), 1e-3 * vec(body.force).x);
    }
}

// The force on a body ends when the body leaves the box. A body outside the box has no force.
TEST_F(BodyForces, BodyOutsideTheBoxHasNoForce) {
    Settings s = stillBox(glm::uvec3(16), 1.0f / 16.0f);
    s.grid.sides.fill(Side::Open);
    s.timeStep = 0.05f;
    s.flow.viscosity = 1e-3f;
    s.pressure = {.solver = PressureSolver::Mgpcg, .iterations = 4};
    s.obstacles.push_back({.shape = {.centre = {0.7f, 0.5f, 0.5f}, .radius = 0.15f}, .velocity = {1.0f, 0.0f, 0.0f}});
    s.obstacles.push_back({.shape = {.centre = {5.0f, 5.0f, 5.0f}, .radius = 0.15f}});
    Simulation simulation(device(), s);
    for (int n = 1; n <= 12; ++n) {
        simulation.step();
        const Quality q = simulation.measure();
        const double low = 0.7 + 0.05 * n - 0.15;  // where the part of the body inside the box begins
        for (const double v : {vec(q.bodies[0].force).x, vec(q.bodies[0].torque).y, vec(q.bodies[0].friction).x})
            EXPECT_TRUE(std::isfinite(v)) << n;
        if (low < 0.95) {
            EXPECT_LT(vec(q.bodies[0].force).x, 0.0) << n;
        } else if (low > 1.0) {
            EXPECT_EQ(vec(q.bodies[0].force), dvec3(0.0)) << n;
        }
        EXPECT_EQ(vec(q.bodies[1].force), dvec3(0.0)) << n;
    }
}

}  // namespace
}  // namespace wisp::test
