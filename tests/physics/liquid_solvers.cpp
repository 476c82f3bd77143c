// SPDX-License-Identifier: MIT
// The pressure of a liquid with a surface that changes in every step, with every solver.
#include "compute/scene/parts_of_step.h"
#include "shaders/shared/pressure_level.h"
#include "tests/physics/liquid_tank.h"

#include <glm/geometric.hpp>
#include <glm/mat2x2.hpp>
#include <glm/matrix.hpp>
#include <glm/vector_relational.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace wisp::test {
namespace {

constexpr int kCells = 16;
constexpr float kH = 1.0f / kCells;
constexpr double kHalfUnit = 0x1p-24;  // half a unit in the last place of 1

struct Case {
    PressureSolver solver;
    std::uint32_t iterations;
    std::string name;
};
const std::vector<Case> kCases{{PressureSolver::Jacobi, 400, "jacobi"},
                               {PressureSolver::RedBlackSor, 100, "red_black_sor"},
                               {PressureSolver::Multigrid, 4, "multigrid"},
                               {PressureSolver::Mgpcg, 4, "mgpcg"}};

/// A column in a corner, 12 cells high and 8 cells wide, that falls to two sides. At first the surface is half a cell beyond the cell
/// centres.
Settings fallingColumn(const Case& c) {
    Settings s = tank(glm::uvec3(kCells), kH);
    s.pressure.solver = c.solver;
    s.pressure.iterations = c.iterations;
    s.liquid.reseed = false;
    s.liquid.jitter = 0.0f;
    s.initial.push_back(water(glm::vec3(0.0f), {0.5f, 0.75f, 0.5f}));
    return s;
}

/// The result of the solve of one step.
struct Solved {
    std::vector<double> residuals;  ///< relative, before the solve and during it
    double b = 0.0;                 ///< 2-norm of the right-hand side
    Field velocity;
    std::vector<float> weights, surface;
    double greatest = 0.0;  ///< |q|

    /// Rounding error of a relative residual: 8 roundings per cell, of q times weights of up to 6. A few cells near the surface have larger
    /// weights, but small q.
    [[nodiscard]] double floor() const { return 8.0 * 6.0 * kHalfUnit * greatest * std::pow(kCells, 1.5) / b; }
};

class LiquidSolvers : public LiquidTest {
protected:
    Solved solvedStep(Simulation& s) {
        s.recorder.begin();
        s.simulator.step(s.recorder, true);
        s.recorder.submit();
        s.recorder.finish();
        const Fields& f = s.simulator.fields();
        Solved solved{.residuals = s.measure().residuals,
                      .velocity = fieldOf(f.flow.velocity),
                      .weights = download(f.pressure.weights),
                      .surface = download(f.liquid->surface)};
        std::vector<float> b = download(f.pressure.rhs), q = download(f.pressure.pressure[0]);
        const auto cells = static_cast<std::size_t>(gpu::cellCount(f.domain.pressureLevel()));
        for (std::size_t n = 0; n < cells; ++n) {
            solved.b = std::hypot(solved.b, static_cast<double>(b[n]));
            solved.greatest = std::max(solved.greatest, std::abs(static_cast<double>(q[n])));
        }
        return solved;
    }
    /// Copies the state of `from` to `to`.
    void copyState(Simulation& from, Simulation& to) {
        to.recorder.begin();
        to.simulator.resume(to.recorder, from.simulator.state());
        to.recorder.submit();
        to.recorder.finish();
        const std::vector<StateField> source = from.simulator.fields().state(), target = to.simulator.fields().state();
        ASSERT_EQ(source.size(), target.size());
        for (std::size_t n = 0; n < source.size(); ++n) {
            ASSERT_STREQ(source[n].name, target[n].name);
            if (source[n].image) upload(*target[n].image, download(*source[n].image));
            else upload(*target[n].buffer, download(*source[n].buffer));
        }
    }
};

bool isFluid(const Solved& s, ivec3 c) {
    const bool inside = glm::all(glm::greaterThanEqual(c, ivec3(0))) && glm::all(glm::lessThan(c, ivec3(kCells)));
    return inside && s.surface[2 * static_cast<std::size_t>((c.z * kCells + c.y) * kCells + c.x)] < 0.0f;
}

/// The largest number of FLUID cells on top of each other. No column reaches the ceiling, so there is an EMPTY cell above each, with a
/// weight of 1 or more.
int highestPile(const Solved& s) {
    int highest = 0;
    forEach(ivec3(kCells), [&](ivec3 c) {
        int pile = 0;
        for (ivec3 above = c; isFluid(s, above); ++above.y) ++pile;
        highest = std::max(highest, pile);
    });
    return highest;
}

struct Difference {
    /// Energy norm sqrt(e . A e) of the difference e of two q: sqrt(sum of (h du)^2 / w) over faces beside FLUID cells.
    double energy = 0.0;
    double rounding = 0.0;  ///< rounding error from storing q and u
};
Difference differenceOf(const Solved& a, const Solved& b, const gpu::PressureLevel& level) {
    const double h = static_cast<double>(kH);
    Difference d;
    forEach(ivec3(kCells), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            ivec3 low = c;
            --low[axis];
            const double w = static_cast<double>(a.weights[static_cast<std::size_t>(4 * gpu::weightIndex(level, c) + axis)]);
            if (low[axis] < 0 || (!isFluid(a, c) && !isFluid(a, low))) continue;
            const double u = a.velocity(c)[axis], ofQ = 4.0 * kHalfUnit * a.greatest * std::sqrt(w),
                         ofU = 4.0 * kHalfUnit * h * std::abs(u) / std::sqrt(w);
            d.energy = std::hypot(d.energy, h * (u - b.velocity(c)[axis]) / std::sqrt(w));
            d.rounding = std::hypot(d.rounding, ofQ + ofU);
        }
    });
    return d;
}

// One step from the same state, with each solver and with many multigrid cycles: A e = r is the difference of their residuals, so sqrt(e .
// A e) <= |r| / sqrt(smallest eigenvalue). A is bounded from below by its vertical weights. These form columns of n cells, closed below and
// with a weight of 1 above, with the smallest eigenvalue 4 sin^2(pi / (4 n + 2)).
TEST_F(LiquidSolvers, DifferByTheirResiduals) {
    const Case exact{PressureSolver::Multigrid, 12, ""};
    Simulation reference(device(), fallingColumn(exact));
    for (const int steps : {0, 19}) {
        reference.step(steps);
        for (const Case& c : kCases) {
            Simulation fresh(device(), fallingColumn(exact)), other(device(), fallingColumn(c));
            copyState(reference, fresh);
            copyState(reference, other);
            const Solved best = solvedStep(fresh), solved = solvedStep(other);
            ASSERT_EQ(best.surface, solved.surface);
            const int pile = highestPile(best);
            ASSERT_LT(pile, kCells);
            const double least = 2.0 * std::sin(std::numbers::pi / (4 * pile + 2));
            const double residual = (best.residuals.back() + solved.residuals.back() + 2.0 * solved.floor()) * solved.b;
            const Difference d = differenceOf(best, solved, other.simulator.fields().domain.pressureLevel());
            EXPECT_LE(d.energy, residual / least + d.rounding) << c.name << " after " << steps;
        }
    }
}

// Every cycle lowers the residual down to its rounding error (see above), for all forms of the surface: partly filled cells, single drops,
// thin sheets.
TEST_F(LiquidSolvers, EveryCycleOfAFallLowersTheResidual) {
    for (const Case& c : {kCases[2], kCases[3]}) {
        Simulation simulation(device(), fallingColumn(c));
        for (int step = 0; step < 40; ++step) {
            const Solved s = solvedStep(simulation);
            const double floor = s.floor();
            ASSERT_LT(floor, 1e-3) << "the rounding error is too large for this test";
            ASSERT_EQ(s.residuals.size(), c.iterations + 1u);
            for (std::size_t n = 1; n < s.residuals.size(); ++n)
                EXPECT_LT(s.residuals[n], std::max(s.residuals[n - 1], floor)) << c.name << ", step " << step << ", cycle " << n;
            EXPECT_LE(s.residuals.back(), floor);
        }
    }
}

/// Upper bound of the largest eigenvalue of D^-1/2 (D - A) D^-1/2: the largest quotient (matrix times positive vector) / vector is never
/// smaller (Collatz, Wielandt).
double greatestEigenvalue(const Solved& s, const gpu::PressureLevel& level) {
    const auto weight = [&](ivec3 c, int n) {
        return static_cast<double>(s.weights[static_cast<std::size_t>(4 * gpu::weightIndex(level, c) + n)]);
    };
    Numbers x{ivec3(kCells), 1.0}, next{ivec3(kCells)};
    double greatest = 2.0;
    for (int round = 0; round < 400; ++round) {
        double largest = 0.0;
        forEach(ivec3(kCells), [&](ivec3 c) {
            if (!isFluid(s, c)) return;
            double sum = 0.0;
            for (int side = 0; side < 6; ++side) {
                ivec3 near = c;
                near[side % 3] += side < 3 ? 1 : -1;
                if (isFluid(s, near)) sum += weight(side < 3 ? near : c, side % 3) * x(near) / std::sqrt(weight(c, 3) * weight(near, 3));
            }
            next(c) = 0.5 * (x(c) + sum);  // relaxation by half: otherwise cells of the two colours would alternate
            largest = std::max(largest, sum / x(c));
        });
        std::swap(x, next);
        greatest = std::min(greatest, largest);
    }
    return greatest;
}

// In the norm of D^-1/2 each eigenvalue mu of r has an invariant plane, spanned by the cells of the two colours. In this plane the error of
// q is multiplied by E, and r = (1 - mu mirrored) e. For Jacobi, E exchanges the two colours with the factor mu. SOR updates the first
// colour, and then the second colour from the new values.
double normOfSweeps(double omega, bool jacobi, double mu, int sweeps) {
    const glm::dmat2 first(1.0 - omega, 0.0, omega * mu, 1.0), second(1.0, omega * mu, 0.0, 1.0 - omega);  // by columns
    const glm::dmat2 once = jacobi ? glm::dmat2(0.0, mu, mu, 0.0) : second * first, toResidual(1.0, -mu, -mu, 1.0);
    glm::dmat2 all(1.0);
    for (int n = 0; n < sweeps; ++n) all = once * all;
    all = toResidual * all * glm::inverse(toResidual);
    return std::hypot(glm::length(all[0]), glm::length(all[1]));
}

TEST_F(LiquidSolvers, SweepsLowerTheResidualAsPredicted) {
    for (const Case& c : {kCases[0], kCases[1]}) {
        Simulation simulation(device(), fallingColumn(c));
        const Solved s = solvedStep(simulation);
        const double greatest = greatestEigenvalue(s, simulation.simulator.fields().domain.pressureLevel());
        double most = 0.0, fewest = 6.0;  // of the diagonal D
        for (std::size_t n = 3; n < s.weights.size(); n += 4) {
            const auto w = static_cast<double>(s.weights[n]);
            most = std::max(most, w);
            if (w > 0.0) fewest = std::min(fewest, w);
        }
        const double omega = static_cast<double>(simulation.simulator.settings().pressure.omega);
        for (std::size_t n = 1; n < s.residuals.size(); ++n) {
            double norm = 0.0;
            for (int k = 0; k <= 200; ++k)  // for SOR, smaller eigenvalues may be worse for a while
                norm = std::max(norm,
                                normOfSweeps(omega, c.solver == PressureSolver::Jacobi, greatest * k / 200, 10 * static_cast<int>(n)));
            EXPECT_LE(s.residuals[n], std::sqrt(most / fewest) * norm + s.floor()) << c.name << ", sweep " << 10 * n;
        }
    }
}

// Steps that are computed in parts.
using LiquidParts = LiquidTest;

// A step of four parts is four steps of a quarter of its duration, to the bit: also for an obstacle that the user drags, an emitter, and
// the force on a body, which is a pressure over the duration of a part. Random positions depend on the number of the step, so there are
// none.
TEST_F(LiquidParts, AreSteps) {
    Settings s = damWithABall({24, 16, 12}, 1.0f / 16);
    s.byHand = true;
    s.obstacles[0].shape.centre = {0.875f, 0.375f, 0.375f};  // so that all positions on its way are exact
    s.liquid.reseed = false;
    s.liquid.jitter = 0.0f;
    s.emitters.push_back({.shape = {.centre = {1.3f, 0.8f, 0.4f}, .radius = 0.1f}, .velocity = {-1.0f, 0.0f, 0.0f}, .hasVelocity = true});
    s.emitters.back().liquid = true;
    s.timeStep = 0.1f;
    Settings quarter = s;
    quarter.timeStep = 0.025f;
    const auto at = [&](float steps) { return s.obstacles[0].shape.centre + glm::vec3(0.0625f * steps, 0.0f, 0.0f); };
    ASSERT_EQ(partsOfStep(s, 0.0, {}, {{0, {at(0.0f), at(1.0f)}}}), 4u);
    ASSERT_EQ(partsOfStep(quarter, 0.0, {}, {{0, {at(0.0f), at(0.25f)}}}), 1u);
    Simulation whole(device(), s), parts(device(), quarter);
    for (int step = 0; step < 3; ++step) {
        const auto first = static_cast<float>(step);
        whole.simulator.overrideMotion(0, {at(first), at(first + 1.0f)});
        whole.step();
        for (int part = 0; part < 4; ++part) {
            const float from = first + 0.25f * static_cast<float>(part);
            parts.simulator.overrideMotion(0, {at(from), at(from + 0.25f)});
            parts.step();
        }
        ASSERT_TRUE(placesOf(whole) == placesOf(parts)) << step;
        ASSERT_TRUE(velocitiesOf(whole) == velocitiesOf(parts)) << step;
    }
    const Quality a = whole.measure(), b = parts.measure();
    EXPECT_NE(a.bodies[0].force[0], 0.0);
    EXPECT_EQ(a.bodies[0].force, b.bodies[0].force);
    EXPECT_EQ(whole.simulator.state().overrides.at(0).to, at(3.0f));
    EXPECT_EQ(whole.simulator.stepCount(), 3u);
    EXPECT_NEAR(whole.simulator.time(), 0.3, 1e-6);
}

// Steps of half a second, in which free fall is 29 cells: without parts 8 % of the volume was left after two of them, and the energy rose.
// Water that splashes has a surface of at least that of the column, 24 x (24 + 12) of its 12 x 14.4 x 24 cells. If a twelfth of the cells
// at the surface are wrong by half a cell, the volume is wrong by 1 %; the spray has several times as much surface.
TEST_F(LiquidParts, KeepTheVolumeInLargeSteps) {
    Settings s = tank(glm::uvec3(24), 1.0f / 24);
    s.timeStep = 0.5f;
    s.initial.push_back(water(glm::vec3(0.0f), {0.5f, 0.6f, 1.0f}));
    Simulation simulation(device(), s);
    const Quality first = simulation.measure();
    for (int n = 0; n < 2; ++n) {
        simulation.step();
        const Quality q = simulation.measure();
        EXPECT_NEAR(q.liquid->volume / first.liquid->volume, 1.0, 0.05) << n;
        EXPECT_LT(q.liquid->energy, first.liquid->energy) << n;
    }
}

}  // namespace
}  // namespace wisp::test
