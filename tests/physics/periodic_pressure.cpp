// SPDX-License-Identifier: MIT
// The pressure solvers in periodic boxes.
#include "tests/physics/pressure_solve.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

constexpr int kAlongX = 1, kAlongY = 2, kAlongZ = 4;

Settings periodicBox(glm::uvec3 cells, int axes, PressureSolver solver, std::uint32_t iterations) {
    Settings s = stillBox(cells, 1.0f / 16);
    for (std::size_t side = 0; side < 6; ++side) {
        if ((axes >> (side / 2) & 1) != 0) s.grid.sides[side] = Side::Periodic;
    }
    s.pressure = {.solver = solver, .iterations = iterations};
    return s;
}

// A pair of opposite sources across the corner of all seams, and a wave as long as the box, which smoothing does not remove.
auto source(const Settings& s) {
    return [cells = dvec3(s.grid.cells)](dvec3 p) {
        const dvec3 d = p - cells * glm::round(p / cells), wave = 2.0 * glm::pi<double>() * p / cells;
        return d.x * std::exp(-glm::dot(d, d) / 9.0) + 0.01 * (std::sin(wave.x) + std::cos(wave.y) * std::sin(wave.z));
    };
}

class PeriodicPressure : public PressureSolve {};

TEST_F(PeriodicPressure, ACycleLowersTheResidualTenfold) {
    const auto nameOf = [](glm::uvec3 c, int axes) {
        return std::to_string(c.x) + "x" + std::to_string(c.y) + "x" + std::to_string(c.z) + "_axes" + std::to_string(axes);
    };
    const auto worst = [&](glm::uvec3 cells, int axes) {
        const Settings s = periodicBox(cells, axes, PressureSolver::Multigrid, 3);
        const std::vector<double> r = solve(s, source(s)).residuals;
        double factor = 1e30;
        for (std::size_t n = 1; n < r.size(); ++n) factor = std::min(factor, r[n - 1] / r[n]);
        RecordProperty(nameOf(cells, axes), std::to_string(factor));
        return factor;
    };
    // Even and odd numbers of cells, on the first level or on a coarser level.
    for (const glm::uvec3 cells : {glm::uvec3(16), glm::uvec3(64, 16, 32), glm::uvec3(20), glm::uvec3(36), glm::uvec3(17), glm::uvec3(31),
                                   glm::uvec3(33, 47, 19), glm::uvec3(3)}) {
        for (const int axes : {kAlongX, kAlongX | kAlongY | kAlongZ}) EXPECT_GE(worst(cells, axes), 10.0) << nameOf(cells, axes);
    }
}

TEST_F(PeriodicPressure, ConjugateGradientsNeedFewIterations) {
    for (const glm::uvec3 cells : {glm::uvec3(17), glm::uvec3(32), glm::uvec3(20, 24, 36), glm::uvec3(47, 33, 19)}) {
        for (const int axes : {kAlongX, kAlongX | kAlongY | kAlongZ}) {
            Settings s = periodicBox(cells, axes, PressureSolver::Mgpcg, 6);
            s.obstacles.push_back(
                {.shape = {.centre = {0.0f, 0.5f * s.grid.size.y, 0.1f}, .radius = 0.17f * std::min(s.grid.size.x, s.grid.size.z)}});
            const Solution solution = solve(s, source(s));
            RecordProperty(std::to_string(cells.x) + "_axes" + std::to_string(axes), std::to_string(solution.residuals.back()));
            EXPECT_LE(solution.residuals.back(), 1e-4) << cells.x << "x" << cells.y << "x" << cells.z << ", axes " << axes;
        }
    }
}

// A wave of the box is an eigenvector of -H^2 times the discrete Laplacian.
TEST_F(PeriodicPressure, WavesAreSolvedExactly) {
    for (const PressureSolver solver :
         {PressureSolver::Jacobi, PressureSolver::RedBlackSor, PressureSolver::Multigrid, PressureSolver::Mgpcg}) {
        for (const glm::uvec3 cells : {glm::uvec3(12, 9, 10), glm::uvec3(8, 5, 1), glm::uvec3(2, 7, 6), glm::uvec3(70, 5, 2)}) {
            const bool sweeps = solver == PressureSolver::Jacobi || solver == PressureSolver::RedBlackSor;
            Settings s = periodicBox(cells, kAlongX | kAlongY | kAlongZ, solver, sweeps ? 1500 : 12);
            s.pressure.omega = 1.5f;
            const bool alongX = cells.x > 2 && cells.x < 64;  // sweeps converge slowly for long waves
            const dvec3 k = 2.0 * glm::pi<double>() / dvec3(cells);
            const auto exact = [&](dvec3 p) { return std::sin(k.y * p.y + 0.3) * (alongX ? std::cos(k.x * p.x + k.z * p.z) : 1.0); };
            double eigenvalue = 2.0 - 2.0 * std::cos(k.y);
            if (alongX) eigenvalue += 4.0 - 2.0 * std::cos(k.x) - 2.0 * std::cos(k.z);
            const Solution solution = solve(s, [&](dvec3 p) { return eigenvalue * exact(p); });
            // A residual of 8 roundings of q, divided by the smallest eigenvalue.
            double smallest = 1e30;
            for (int a = 0; a < 3; ++a) {
                if (cells[a] > 1) smallest = std::min(smallest, 2.0 - 2.0 * std::cos(k[a]));
            }
            forEach(ivec3(cells), [&](ivec3 c) {
                EXPECT_NEAR(solution.q(c), exact(dvec3(c) + 0.5), 12.0 * 8.0 * 6e-8 / smallest + 1e-6)
                    << "solver " << static_cast<int>(solver) << ", " << cells.x << " along x";
            });
        }
    }
}

TEST_F(PeriodicPressure, GivesTheSameBitsTwice) {
    for (const PressureSolver solver : {PressureSolver::RedBlackSor, PressureSolver::Multigrid, PressureSolver::Mgpcg}) {
        const Settings s = periodicBox({27, 25, 35}, kAlongX | kAlongY | kAlongZ, solver, 20);
        const Solution first = solve(s, source(s)), second = solve(s, source(s));
        EXPECT_EQ(first.q.values(), second.q.values()) << "solver " << static_cast<int>(solver);
        EXPECT_EQ(first.residuals, second.residuals);
        EXPECT_GT(first.residuals.front(), 0.9);
    }
}

}  // namespace
}  // namespace wisp::test
