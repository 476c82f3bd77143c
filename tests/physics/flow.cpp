// SPDX-License-Identifier: MIT
// Pressure, forces and solids over whole steps.
#include "tests/physics/simulation.h"

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

Shape wholeBox(const Settings& s) { return {ShapeKind::Box, s.grid.origin + 0.5f * s.grid.size, 0.0f, s.grid.size}; }

// A jolt inside a sphere in a box with an open top, which projection has to spread.
Settings jolt(Precision precision, std::uint32_t ratio) {
    Settings s = stillBox({16, 18, 14}, 0.0625f);
    s.grid.precision = precision;
    s.grid.pressureRatio = ratio;
    s.grid.sides[3] = Side::Open;
    s.initial.push_back({.shape = {.centre = {0.4f, 0.5f, 0.4f}, .radius = 0.25f}, .velocity = {0.5f, 1.0f, -0.3f}});
    s.timeStep = 0.01f;
    s.pressure.iterations = 600;
    s.pressure.omega = 1.85f;
    return s;
}

class FlowDivergence : public BothPrecisions {};
INSTANTIATE_TEST_SUITE_P(Storage, FlowDivergence, testing::Values(Precision::Float, Precision::Half), precisionName);

TEST_P(FlowDivergence, VanishesAfterAConvergedSolve) {
    for (const std::uint32_t ratio : {1u, 2u, 4u}) {
        for (const bool moving : {false, true}) {
            Settings s = jolt(GetParam(), ratio);
            if (moving)
                s.obstacles.push_back({.shape = {.centre = {0.55f, 0.6f, 0.5f}, .radius = 0.17f},
                                       .velocity = {-0.4f, 0.2f, 0.1f},
                                       .angularVelocity = {0, 2, 1}});
            Simulation simulation(device(), s);
            simulation.step(2);
            const double scale = 1.0 / double(s.grid.cellSize());  // speeds of 1 m/s over a cell
            // Storage rounds each face's velocity after projection: 2^-11 of 1 m/s in half; six faces.
            EXPECT_LT(simulation.measure().divergenceMax, (half() ? 5e-3 : 2e-5) * scale)
                << "ratio " << ratio << (moving ? ", moving obstacle" : "");
        }
    }
}

class FlowSolids : public BothPrecisions {};
INSTANTIATE_TEST_SUITE_P(Storage, FlowSolids, testing::Values(Precision::Float, Precision::Half), precisionName);

TEST_P(FlowSolids, MovingSphereCarriesItsFacesAndHoldsNoSmoke) {
    for (const std::uint32_t ratio : {1u, 2u}) {
        Settings s = stillBox({20, 12, 12}, 0.0625f);
        s.grid.precision = GetParam();
        s.grid.pressureRatio = ratio;
        s.timeStep = 1.0f / 64;
        s.pressure.iterations = 40;
        s.flow.vorticity = 0.5f;
        s.initial.push_back({.shape = wholeBox(s), .density = 1.0f});
        s.obstacles.push_back({.shape = {.centre = {0.3f, 0.37f, 0.36f}, .radius = 0.16f}, .velocity = {0.5f, 0.0f, 0.0f}});
        Simulation simulation(device(), s);
        for (int step = 0; step < 24; ++step) {
            simulation.step();
            const Field velocity = velocityOf(simulation), openness = fieldOf(simulation.simulator.fields().openness);
            const Field density = densityOf(simulation);
            EXPECT_EQ(simulation.measure().leakedMass, 0.0) << "step " << step;
            int closed = 0;
            forEach(ivec3(s.grid.cells), [&](ivec3 c) {
                if (openness(c).w == 0.0) {
                    EXPECT_EQ(density(c).x, 0.0);
                }
                for (int axis = 0; axis < 3; ++axis) {
                    if (c[axis] == 0 || openness(c)[axis] > 0.0) continue;  // a wall, or fluid
                    EXPECT_EQ(velocity(c)[axis], axis == 0 ? 0.5 : 0.0) << "step " << step;
                    ++closed;
                }
            });
            EXPECT_GT(closed, 100);  // the sphere has a volume of 70 cells
        }
    }
}

// A vertical force that depends on height only is a gradient: whatever stands in the box, the fluid stays at rest.
class FlowRest : public PhysicsTest {};

TEST_F(FlowRest, StratifiedFluidStaysStill) {
    for (const std::uint32_t ratio : {1u, 2u}) {
        Settings s = stillBox({12, 12, 12}, 0.0625f);
        s.grid.pressureRatio = ratio;
        s.timeStep = 0.05f;
        s.flow.weight = 1.0f;
        s.pressure.iterations = 400;
        const glm::vec3 size = s.grid.size;
        for (int layer = 0; layer < 4; ++layer) {  // heavier below; the later, lower layer wins
            const float top = size.y * (1.0f - 0.25f * static_cast<float>(layer));
            s.initial.push_back({.shape = {ShapeKind::Box, {0.5f * size.x, top - size.y, 0.5f * size.z}, 0.0f, {size.x, size.y, size.z}},
                                 .density = 0.25f * static_cast<float>(layer + 1)});
        }
        s.obstacles.push_back({.shape = {.centre = {0.33f, 0.4f, 0.37f}, .radius = 0.17f}});
        Simulation simulation(device(), s);
        for (int step = 1; step <= 5; ++step) {
            simulation.step();
            const double force = 1.0, time = 0.05 * step;
            EXPECT_LE(simulation.measure().maxSpeed, 1e-5 * force * time) << "ratio " << ratio << ", step " << step;
        }
    }
}

class FlowSymmetry : public PhysicsTest {};

TEST_F(FlowSymmetry, PlumeMirrorsItself) {
    for (const std::uint32_t ratio : {1u, 2u}) {
        // Coordinates are whole multiples of 1/32, so that mirror images round alike; Jacobi has no order of cells.
        Settings s = stillBox({16, 20, 16}, 0.0625f);
        s.grid.pressureRatio = ratio;
        s.grid.sides[3] = Side::Open;
        s.flow.vorticity = 0.4f;
        s.flow.buoyancy = 0.05f;
        s.pressure.solver = PressureSolver::Jacobi;
        s.pressure.iterations = 30;
        s.timeStep = 1.0f / 32;
        EmitterSettings emitter;
        emitter.shape = {.centre = {0.5f, 0.1875f, 0.5f}, .radius = 0.15625f};
        emitter.velocity = {0.0f, 1.0f, 0.0f};
        emitter.hasVelocity = true;
        emitter.density = 1.0f;
        emitter.temperature = 40.0f;
        s.emitters.push_back(emitter);
        s.obstacles.push_back({.shape = {.centre = {0.5f, 0.8125f, 0.5f}, .radius = 0.125f}});
        Simulation simulation(device(), s);
        simulation.step(30);
        const Field density = densityOf(simulation), velocity = velocityOf(simulation);
        double largestDensity = 0.0, largestSpeed = 0.0, densityError = 0.0, speedError = 0.0;
        forEach(ivec3(s.grid.cells), [&](ivec3 c) {
            const ivec3 mirrored(15 - c.x, c.y, c.z);
            largestDensity = std::max(largestDensity, density(c).x);
            largestSpeed = std::max(largestSpeed, std::abs(velocity(c).y));
            densityError = std::max(densityError, std::abs(density(c).x - density(mirrored).x));
            speedError = std::max(speedError, std::abs(velocity(c).y - velocity(mirrored).y));
            speedError = std::max(speedError, std::abs(velocity(c).x + velocity(mirrored + unit(0)).x));
        });
        EXPECT_GT(largestDensity, 0.5);
        EXPECT_LE(densityError, 1e-5 * largestDensity) << "ratio " << ratio;
        EXPECT_LE(speedError, 1e-5 * largestSpeed) << "ratio " << ratio;
    }
}

class FlowEnergy : public PhysicsTest {};

TEST_F(FlowEnergy, TaylorGreenVortexNeverGains) {
    struct Case {
        AdvectionScheme scheme;
        double kept;  // of the energy after 1 s on 64^2, measured with double-precision code of the same method, less 2 %
    };
    for (const Case& c : {Case{AdvectionScheme::SemiLagrangian, 0.865}, Case{AdvectionScheme::MacCormack, 0.944}}) {
        Settings s = stillBox({64, 64, 1}, 1.0f / 64);
        s.initial.push_back({.field = InitialField::TaylorGreen, .velocity = {1.0f, 0.0f, 0.0f}});
        s.advection.scheme = c.scheme;
        s.timeStep = 0.5f / 64;
        s.pressure.iterations = 60;
        s.pressure.omega = 1.9f;
        Simulation simulation(device(), s);
        simulation.step();
        const double first = simulation.measure().kineticEnergy;
        double energy = first;
        for (int step = 1; step < 128; ++step) {
            simulation.step();
            const double next = simulation.measure().kineticEnergy;
            EXPECT_LE(next, energy * (1.0 + 1e-4)) << "step " << step;
            energy = next;
        }
        EXPECT_GE(energy / first, c.kept);
        EXPECT_LT(energy / first, 1.0);
    }
}

}  // namespace
}  // namespace wisp::test
