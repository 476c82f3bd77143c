// SPDX-License-Identifier: MIT
// The pressure solvers on whole systems: convergence rate and result.
#include "tests/physics/pressure_solve.h"
#include "tests/support/verification.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/gtc/constants.hpp>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

Settings box(glm::uvec3 cells, PressureSolver solver, std::uint32_t iterations, bool openTop) {
    Settings s = stillBox(cells, 1.0f / 16);
    s.pressure = {.solver = solver, .iterations = iterations};
    if (openTop) s.grid.sides[3] = Side::Open;
    return s;
}

void addSphere(Settings& s) {
    const glm::vec3 size = s.grid.size;
    s.obstacles.push_back({.shape = {.centre = {0.5f * size.x, 0.4f * size.y, 0.5f * size.z}, .radius = 0.17f * std::min(size.x, size.z)}});
}

/// A plate, two cells thick, across three quarters of the box.
void addPlate(Settings& s) {
    const glm::vec3 size = s.grid.size;
    s.obstacles.push_back({.shape = {ShapeKind::Box, 0.5f * size, 0.0f, {0.375f * size.x, s.grid.cellSize(), 0.375f * size.z}}});
}

/// A smooth source near the floor, the hardest kind, because smoothing does not reduce it. A double-precision code of the same cycle
/// reduces the residual by factors of 11 and more at these sizes.
auto source(const Settings& s) {
    return [cells = dvec3(s.grid.cells)](dvec3 p) {
        const dvec3 x = (p - dvec3(0.5, 0.15, 0.5) * cells) / cells.y;
        const double d2 = x.x * x.x + x.y * x.y + x.z * x.z;
        return x.y * std::exp(-d2 / 0.01) + 0.3 * std::sin(7.0 * p.x / cells.y) * std::exp(-d2 / 0.02);
    };
}

/// The divergence of a jet that starts at the floor: inflow below, outflow above. Without a net flux q has the size of b, so rounding of q
/// (6 eps |q| in a residual) does not hide the convergence rate.
auto jet(const Settings& s) {
    return [cells = dvec3(s.grid.cells)](dvec3 p) {
        const dvec3 x = p - dvec3(0.5, 0.2, 0.5) * cells;
        return x.y * std::exp(-(x.x * x.x + x.y * x.y + x.z * x.z) / 9.0);
    };
}

std::string nameOf(glm::uvec3 cells) { return fmt::format("{}x{}x{}", cells.x, cells.y, cells.z); }

// The residual has a rounding error of about 8 roundings of the largest q in each cell.
double floorOf(const Solution& solution, double rms) {
    double largest = 0.0;
    for (const double q : solution.q.values()) largest = std::max(largest, std::abs(q));
    return 8.0 * 6e-8 * largest / rms;
}

template <class F>
double rmsOf(glm::uvec3 cells, F&& b) {
    double sum = 0.0, count = 0.0;
    forEach(ivec3(cells), [&](ivec3 c) {
        sum += std::pow(b(dvec3(c) + 0.5), 2.0);
        count += 1.0;
    });
    return std::sqrt(sum / count);
}

// Even and odd numbers of cells, from one level to the maximum number of levels.
TEST_F(PressureSolve, ACycleLowersTheResidualTenfold) {
    std::vector<glm::uvec3> sizes{{47, 33, 19}};
    for (const std::uint32_t n : {2u, 3u, 5u, 8u, 16u, 17u, 31u, 33u, 64u}) sizes.emplace_back(n);
    if (fullSizes()) sizes.insert(sizes.end(), {{127, 65, 97}, glm::uvec3(129), glm::uvec3(128)});
    for (const bool sphere : {false, true}) {
        double worst = 1e30;
        std::string where;
        for (const glm::uvec3 cells : sizes) {
            if (sphere && cells.x < 8) continue;  // it would fill so small a box
            Settings s = box(cells, PressureSolver::Multigrid, 3, sphere);
            if (sphere) addSphere(s);
            const Solution solution = solve(s, source(s));
            ASSERT_EQ(solution.residuals.size(), 4u);
            const double floor = floorOf(solution, rmsOf(cells, source(s)));
            for (std::size_t n = 1; n < 4; ++n) {
                const double before = solution.residuals[n - 1], after = solution.residuals[n];
                if (cells == glm::uvec3(sized(64u, 128u)) && sphere)
                    reportOnly(Row::Multigrid, fmt::format("{}, sphere and open top, relative residual after cycle {}", nameOf(cells), n),
                               after);
                if (cells.x < 16 && after <= floor) break;  // the residual is at its rounding error
                if (before / after < worst) where = nameOf(cells) + ", cycle " + std::to_string(n);
                worst = std::min(worst, before / after);
            }
        }
        const std::string what = fmt::format("{}, {} sizes, smallest residual reduction factor of a cycle ({})",
                                             sphere ? "sphere and open top" : "closed", sizes.size() - (sphere ? 3 : 0), where);
        expectAtLeast(Row::Multigrid, what, worst, 10.0);
    }
}

TEST_F(PressureSolve, ConjugateGradientsNeedFewIterations) {
    std::vector<glm::uvec3> sizes{glm::uvec3(17), glm::uvec3(32), {47, 33, 19}, glm::uvec3(64)};
    if (fullSizes()) sizes.insert(sizes.end(), {{97, 127, 65}, glm::uvec3(128)});
    for (const bool plate : {false, true}) {
        for (const glm::uvec3 cells : sizes) {
            Settings s = box(cells, PressureSolver::Mgpcg, plate ? 10 : 5, true);
            plate ? addPlate(s) : addSphere(s);
            const Solution solution = solve(s, jet(s));
            const std::string what = fmt::format("{}, {}, mgpcg, relative residual after {} iterations", nameOf(cells),
                                                 plate ? "plate" : "sphere", s.pressure.iterations);
            expectAtMost(Row::Multigrid, what, solution.residuals.back(), 1e-4);
        }
    }
}

TEST_F(PressureSolve, ManufacturedSolutionIsSecondOrder) {
    double before = 0.0;
    for (const std::uint32_t n : {16u, 32u, 64u}) {
        const Settings s = box(glm::uvec3(n), PressureSolver::Multigrid, 6, false);
        const auto exact = [n](dvec3 p) {
            const dvec3 x = glm::pi<double>() * p / double(n);
            return std::cos(x.x) * std::cos(2.0 * x.y) * std::cos(x.z);
        };
        const double eigenvalue = 6.0 * glm::pi<double>() * glm::pi<double>() / (double(n) * double(n));  // of -H^2 times the Laplacian
        const Solution solution = solve(s, [&](dvec3 p) { return eigenvalue * exact(p); });
        double difference = 0.0, size = 0.0;
        forEach(solution.q.size(), [&](ivec3 c) {
            const double q = exact(dvec3(c) + 0.5);
            difference += (solution.q(c) - q) * (solution.q(c) - q);
            size += q * q;
        });
        const double error = std::sqrt(difference / size);
        expectAtMost(Row::Poisson, "relative L2 at " + std::to_string(n), error, 1.1e-2 * 256.0 / (n * n));
        if (before > 0.0)
            expectBetween(Row::Poisson, "order " + std::to_string(n / 2) + " to " + std::to_string(n), std::log2(before / error), 1.9, 2.1);
        before = error;
    }
}

/// On a device that behaves like a GPU. There, small levels are swept in tiles. A software device does not use tiles.
class PressureTiles : public PressureSolve {
protected:
    std::unique_ptr<engine::Device> gpu_;
};

TEST_F(PressureTiles, GiveTheResultOfHalfSweeps) {
    struct Case {
        glm::uvec3 cells;
        PressureSolver solver;
        float tolerance;
    };
    const std::vector<Case> cases{{{47, 33, 19}, PressureSolver::Multigrid, 0.0f},
                                  {{64, 32, 48}, PressureSolver::Mgpcg, 0.0f},
                                  {{300, 70, 1}, PressureSolver::Multigrid, 0.0f},
                                  {{40, 56, 64}, PressureSolver::Multigrid, 1e-2f}};
    gpu_ = std::make_unique<engine::Device>(engine::DeviceOptions{.validate = true, .likeGpu = true, .fillWithNaN = true});
    useDevice(*gpu_);
    std::vector<Solution> solutions;
    for (const bool tiled : {false, true}) {
        for (const Case& c : cases) {
            Settings s = box(c.cells, c.solver, 3, true);
            s.pressure.tolerance = c.tolerance;
            if (c.cells.z > 1) addSphere(s);
            solutions.push_back(solve(s, source(s), tiled));
        }
    }
    for (std::size_t n = 0; n < cases.size(); ++n) {
        const Solution &halves = solutions[n], &tiles = solutions[n + cases.size()];
        SCOPED_TRACE(nameOf(cases[n].cells));
        ASSERT_EQ(halves.residuals.size(), tiles.residuals.size());
        double size = 0.0;
        for (const double q : halves.q.values()) size = std::max(size, std::abs(q));
        EXPECT_GT(size, 0.0);
        // As in mg_bottom, on up to nine levels in three cycles: ten passes on each level, with 16 roundings of the largest pressure.
        const double most = 3.0 * 10.0 * 9.0 * 16.0 * 6e-8 * size;
        double difference = 0.0;
        forEach(halves.q.size(), [&](ivec3 c) { difference = std::max(difference, std::abs(halves.q(c) - tiles.q(c))); });
        EXPECT_LE(difference, most);
        // Passes with other arithmetic must round differently.
        EXPECT_GT(difference, 0.0) << "both runs used the same passes";
        if (cases[n].tolerance == 0.0f) continue;
        EXPECT_LE(tiles.residuals[2], static_cast<double>(cases[n].tolerance));
        EXPECT_EQ(tiles.residuals[2], tiles.residuals[3]);  // the solver stops when it has converged
    }
}

TEST_F(PressureSolve, SolversAgree) {
    const glm::uvec3 cells(17, 12, 9);
    std::vector<Solution> solutions;
    double b = 0.0;
    const auto solveWith = [&](PressureSolver solver, std::uint32_t iterations) {
        const Settings s = box(cells, solver, iterations, true);
        solutions.push_back(solve(s, source(s)));
        b = 0.0;
        forEach(ivec3(cells), [&](ivec3 c) { b += std::pow(source(s)(dvec3(c) + 0.5), 2.0); });
    };
    solveWith(PressureSolver::Mgpcg, 6);
    solveWith(PressureSolver::Multigrid, 6);
    solveWith(PressureSolver::RedBlackSor, 300);
    solveWith(PressureSolver::Jacobi, 3000);
    // The slowest mode of a box of height n with q = 0 at the top is cos(pi (j + 1/2) / 2n), with the eigenvalue below. A residual has an
    // error of 8 roundings of q.
    const double eigenvalue = 4.0 * std::pow(std::sin(glm::pi<double>() / (4.0 * cells.y)), 2.0);
    double size = 0.0;
    for (const double q : solutions[0].q.values()) size += q * q;
    for (const Solution& s : solutions) {
        EXPECT_LE(s.residuals.back(), 1e-3);
        double difference = 0.0;
        forEach(ivec3(cells), [&](ivec3 c) { difference += std::pow(s.q(c) - solutions[0].q(c), 2.0); });
        const double residuals = (s.residuals.back() + solutions[0].residuals.back()) * std::sqrt(b) + 2.0 * 8.0 * 6e-8 * std::sqrt(size);
        EXPECT_LE(std::sqrt(difference), residuals / eigenvalue);
    }
}

// A sweep reads only values of the sweep before: a point source reaches the next cells in each.
TEST_F(PressureSolve, ASweepOfJacobiMovesByOneCell) {
    const Settings s = box({17, 12, 9}, PressureSolver::Jacobi, 3, true);
    const ivec3 source(8, 6, 4);
    const Solution solution = solve(s, [&](dvec3 p) { return ivec3(p) == source ? 1.0 : 0.0; });
    forEach(ivec3(s.grid.cells), [&](ivec3 c) {
        const ivec3 d = glm::abs(c - source);
        EXPECT_EQ(solution.q(c) > 0.0, d.x + d.y + d.z < 3) << c.x << " " << c.y << " " << c.z;
    });
}

TEST_F(PressureSolve, StopsByItselfAndGivesTheSameBitsTwice) {
    for (const PressureSolver solver : {PressureSolver::Multigrid, PressureSolver::Mgpcg}) {
        Settings s = box({20, 24, 18}, solver, 6, true);
        s.pressure.tolerance = 1e-3f;
        addSphere(s);
        const Solution first = solve(s, source(s)), second = solve(s, source(s));
        EXPECT_EQ(first.q.values(), second.q.values());
        EXPECT_EQ(first.residuals, second.residuals);
        const auto& r = first.residuals;
        const auto converged = static_cast<std::size_t>(std::ranges::find_if(r, [](double v) { return v <= 1e-3; }) - r.begin());
        ASSERT_LT(converged, 5u);
        EXPECT_GT(converged, 0u);
        for (std::size_t n = converged; n < r.size(); ++n) EXPECT_EQ(r[n], r[converged]) << "iteration " << n;
    }
}

TEST_F(PressureSolve, AClosedBoxHasNoMeanPressure) {
    for (const PressureSolver solver :
         {PressureSolver::Jacobi, PressureSolver::RedBlackSor, PressureSolver::Multigrid, PressureSolver::Mgpcg}) {
        const Settings s = box({13, 9, 11}, solver, 4, false);
        const Solution solution = solve(s, [&](dvec3 p) { return 1.0 + source(s)(p); });
        double sum = 0.0, size = 0.0;
        forEach(solution.q.size(), [&](ivec3 c) {
            sum += solution.q(c);
            size += std::abs(solution.q(c));
        });
        EXPECT_GT(size, 1.0);
        EXPECT_LE(std::abs(sum), 1e-5 * size);  // 1287 roundings
    }
}

// A closed pocket of air with a net flux has no solution. The solvers must stay finite, and conjugate gradients must not diverge along the
// null space of the system.
TEST_F(PressureSolve, AClosedPocketWithANetFluxStaysFinite) {
    for (const PressureSolver solver : {PressureSolver::Multigrid, PressureSolver::Mgpcg}) {
        Settings s = box({32, 32, 32}, solver, 40, true);
        const float h = s.grid.cellSize();
        for (int axis = 0; axis < 3; ++axis) {
            for (const float side : {-1.0f, 1.0f}) {
                glm::vec3 half(6.0f * h), centre(12.0f * h);
                half[axis] = 1.5f * h;
                centre[axis] += side * 4.5f * h;
                s.obstacles.push_back({.shape = {ShapeKind::Box, centre, 0.0f, half}});
            }
        }
        const Solution solution = solve(s, [&](dvec3 p) {
            const dvec3 inside = glm::abs(p - 12.0);
            return (inside.x < 2.0 && inside.y < 2.0 && inside.z < 2.0 ? 0.05 : 0.0) + source(s)(p);
        });
        const double started = solution.residuals.front();
        for (const double r : solution.residuals) EXPECT_LE(r, 1.01 * started);  // false for NaN
        // Each of 40 cycles has up to 8 sweeps on 6 levels, and each sweep may add the flux of the pocket once.
        for (const double q : solution.q.values()) ASSERT_LE(std::abs(q), 1e5);
        EXPECT_GT(solution.residuals.back(), 1e-3) << "the pocket must have no solution for this test";
    }
}

}  // namespace
}  // namespace wisp::test
