// SPDX-License-Identifier: MIT
// Flat grids (one cell deep) give the same result as deep grids whose state does not depend on z.
#include "tests/physics/pressure_solve.h"

#include <fmt/format.h>

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::test {
using glm::dvec2;

namespace {

constexpr float kH = 1.0f / 32;

/// A vortex with smoke, an emitter and a turning bar, the same at every z.
Settings vortex(std::uint32_t depth) {
    Settings s = stillBox({40, 32, depth}, kH);
    s.grid.sides[0] = s.grid.sides[1] = Side::Open;
    s.pressure = {.solver = PressureSolver::Mgpcg, .iterations = 14};
    s.flow.vorticity = 0.3f;
    s.flow.weight = -0.5f;
    s.timeStep = 0.75f * kH;
    s.initial.push_back({.field = InitialField::TaylorGreen, .velocity = {1.0f, 0.0f, 0.0f}});
    s.initial.push_back(
        {.shape = {ShapeKind::Box, {0.7f, 0.4f, 0.0f}, 0.0f, {0.2f, 0.15f, 1.0f}}, .density = 0.75f, .colour = {1.0f, 0.5f, 0.25f}});
    s.obstacles.push_back({.shape = {ShapeKind::Box, {0.5f, 0.6f, 0.0f}, 0.0f, {0.17f, 0.06f, 1.0f}},
                           .rotation = {0.0f, 0.0f, 0.4f},
                           .velocity = {0.2f, -0.1f, 0.0f},
                           .angularVelocity = {0.0f, 0.0f, 1.0f}});
    s.emitters.push_back({.shape = {ShapeKind::Box, {0.2f, 0.3f, 0.0f}, 0.0f, {0.1f, 0.1f, 1.0f}},
                          .velocity = {0.9f, 0.3f, 0.0f},
                          .hasVelocity = true,
                          .density = 0.5f,
                          .colour = {0.25f, 1.0f, 0.5f}});
    return s;
}

class FlatGrid : public PressureSolve {};

TEST_F(FlatGrid, MatchesALayerOfADeepGrid) {
    constexpr int kSteps = 12;
    Simulation flat(device(), vortex(1)), deep(device(), vortex(4));
    flat.step(kSteps);
    deep.step(kSteps);
    // A converged solve leaves a residual of 8 roundings of q, as divergence per cell. The smoothest mode of this box adds up the residuals
    // of 40 cells. This error occurs in each of twelve steps. In each step, a vortex of speed 1 at a CFL number of 0.75 amplifies it by (1
    // + 0.75 pi / 32).
    const double tolerance = kSteps * std::pow(1.0 + 0.75 * 3.15 / 32.0, kSteps) * 40.0 * 8.0 * 6e-8;
    const Field u = velocityOf(flat), U = velocityOf(deep), rho = densityOf(flat), Rho = densityOf(deep);
    const Field colour = fieldOf(flat.simulator.fields().smoke.colours[0]), Colour = fieldOf(deep.simulator.fields().smoke.colours[0]);
    double speed = 0.0, smoke = 0.0, worst = 0.0;
    forEach({40, 32, 1}, [&](ivec3 c) {
        ASSERT_EQ(u(c).z, 0.0);
        speed = std::max(speed, std::abs(u(c).y));
        smoke = std::max(smoke, rho(c).x);
        for (int z = 0; z < 4; ++z) {
            const ivec3 C(c.x, c.y, z);
            for (const auto& [a, b] : {std::pair{u(c), U(C)}, std::pair{rho(c), Rho(C)}, std::pair{colour(c), Colour(C)}})
                for (int n = 0; n < 3; ++n) worst = std::max(worst, std::abs(a[n] - b[n]));
        }
    });
    EXPECT_GT(speed, 0.5);
    EXPECT_GT(smoke, 0.5);
    EXPECT_LE(worst, tolerance);
    const Quality one = flat.measure(), all = deep.measure();
    EXPECT_NEAR(4.0 * one.mass, all.mass, 1e-5 * all.mass);
    EXPECT_NEAR(4.0 * one.kineticEnergy, all.kineticEnergy, 1e-5 * all.kineticEnergy);
}

// A double-precision code of the same cycle has factors of 14 and more in two dimensions. With a disc or an odd number of cells the first
// cycle reduces the residual less: coarse levels approximate the boundary with errors in the adjacent cells, where the right-hand side is
// small.
// A scene that names the sides along x and y only leaves the others open. The box is closed all the same, so the solver must remove the
// mean.
TEST_F(FlatGrid, SidesAlongZAreWallsWhateverTheyAreCalled) {
    Settings s = vortex(1);
    s.grid.sides.fill(Side::Wall);
    Simulation named(device(), s);
    s.grid.sides[4] = s.grid.sides[5] = Side::Open;
    Simulation open(device(), s);
    EXPECT_TRUE(isClosed(s.grid));
    s.grid.cells.z = 4;
    EXPECT_FALSE(isClosed(s.grid));
    named.step(3);
    open.step(3);
    const Field u = velocityOf(named), U = velocityOf(open);
    double difference = 0.0;
    forEach({40, 32, 1}, [&](ivec3 c) { difference = std::max(difference, glm::length(u(c) - U(c))); });
    EXPECT_EQ(difference, 0.0);
}

TEST_F(FlatGrid, ACycleLowersTheResidualTenfold) {
    for (const bool disc : {false, true}) {
        for (const glm::uvec2 cells : {glm::uvec2(16, 16), {17, 31}, {64, 64}, {63, 129}, {256, 144}, {512, 512}}) {
            Settings s = stillBox({cells, 1}, 1.0f / 16);
            s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 3};
            if (disc) {
                s.grid.sides[3] = Side::Open;
                s.obstacles.push_back({.shape = {.centre = {0.5f * s.grid.size.x, 0.4f * s.grid.size.y, 0.5f * s.grid.size.z},
                                                 .radius = 0.17f * s.grid.size.x}});
            }
            const auto b = [&](dvec3 p) {
                const dvec2 x = (dvec2(p) - dvec2(0.5, 0.15) * dvec2(cells)) / double(cells.y);
                return x.y * std::exp(-glm::dot(x, x) / 0.01) + 0.3 * std::sin(7.0 * p.x / cells.y) * std::exp(-glm::dot(x, x) / 0.02);
            };
            const Solution solution = solve(s, b);
            double largest = 0.0, squares = 0.0;
            for (const double q : solution.q.values()) largest = std::max(largest, std::abs(q));
            forEach(solution.q.size(), [&](ivec3 c) { squares += std::pow(b(dvec3(c) + 0.5), 2.0); });
            const double floor = 8.0 * 6e-8 * largest / std::sqrt(squares / double(solution.q.count()));  // rounding of q per cell
            const bool plain = !disc && cells.x % 2 == 0;
            for (std::size_t n = 1; n < solution.residuals.size(); ++n) {
                const double least = plain ? 10.0 : n == 1 ? 2.0 : 8.0;
                EXPECT_LE(solution.residuals[n], solution.residuals[n - 1] / least + floor)
                    << cells.x << "x" << cells.y << (disc ? " disc" : "") << ", cycle " << n;
            }
        }
    }
}

// A step by a whole cell moves scalars with eight texels per cell by eight texels.
TEST_F(FlatGrid, FineScalarsMoveByWholeTexels) {
    for (const std::uint32_t ratio : {1u, 2u, 4u, 8u}) {
        Settings s = stillBox({16, 12, 1}, kH);
        s.grid.scalarRatio = ratio;
        s.grid.sides = {Side::Periodic, Side::Periodic, Side::Periodic, Side::Periodic, Side::Wall, Side::Wall};
        s.timeStep = kH;
        s.initial.push_back({.shape = {ShapeKind::Box, {0.0f, 0.0f, 0.0f}, 0.0f, glm::vec3(2.0f)}, .velocity = {1.0f, -1.0f, 0.0f}});
        s.initial.push_back(
            {.shape = {.centre = {0.2f, 0.2f, 0.5f * kH}, .radius = 0.1f}, .density = 1.0f, .velocity = {1.0f, -1.0f, 0.0f}});
        Simulation simulation(device(), s);
        const Field before = densityOf(simulation);
        simulation.step(3);
        const Field after = densityOf(simulation);
        const int way = 3 * static_cast<int>(ratio);
        const ivec3 size = before.size();
        EXPECT_EQ(size, ivec3(16 * ratio, 12 * ratio, 1));
        double sum = 0.0;
        forEach(size, [&](ivec3 c) {
            sum += before(c).x;
            const ivec3 to((c.x + way) % size.x, (c.y - way + size.y) % size.y, 0);
            ASSERT_NEAR(after(to).x, before(c).x, 1e-6) << ratio;
        });
        EXPECT_GT(sum, 20.0 * ratio * ratio);
        EXPECT_NEAR(simulation.measure().mass, sum * std::pow(double(kH) / ratio, 2.0) * double(kH), 1e-6 * sum) << ratio;
    }
}

// Backward Euler reduces a wave by 1 / (1 + amount (2 - 2 cos k)) per step, for any length of the step.
TEST_F(FlatGrid, ImplicitViscosityDampsAWaveAsBackwardEulerDoes) {
    constexpr int kN = 16;
    for (const double amount : {0.25, 10.0}) {
        Settings s = stillBox({kN, kN, 1}, kH);
        s.grid.sides = {Side::Periodic, Side::Periodic, Side::Periodic, Side::Periodic, Side::Wall, Side::Wall};
        s.timeStep = 0.01f;
        s.flow.viscosity = static_cast<float>(amount) * kH * kH / s.timeStep;
        s.flow.viscositySweeps = 600;
        Simulation simulation(device(), s);
        const auto wave = [](ivec3 c) { return 0.5 * std::sin(2.0 * glm::pi<double>() * (c.y % kN) / kN); };
        std::vector<float> texels;
        forEach({kN + 1, kN + 1, 2}, [&](ivec3 c) {
            texels.insert(texels.end(), {c.z == 0 ? static_cast<float>(wave(c)) : 0.0f, 0.0f, 0.0f, 0.0f});
        });
        upload(simulation.simulator.fields().flow.velocity, texels);
        simulation.step(3);
        // A Jacobi sweep reduces the error by the factor 1 - (1 + amount (2 - 2 cos k)) / (1 + 4 amount), so no error is left after 600
        // sweeps. Rounding adds 1/2 ulp for every sweep that still changes values.
        const double shrunk = std::pow(1.0 + amount * (2.0 - 2.0 * std::cos(2.0 * glm::pi<double>() / kN)), -3.0),
                     tolerance = 3.0 * (1.0 + 4.0 * amount) * 4.0 * 6e-8;
        const Field u = velocityOf(simulation);
        forEach({kN, kN, 1}, [&](ivec3 c) {
            EXPECT_NEAR(u(c).x, shrunk * wave(c), tolerance) << amount;
            EXPECT_NEAR(u(c).y, 0.0, tolerance);
        });
    }
}

}  // namespace
}  // namespace wisp::test
