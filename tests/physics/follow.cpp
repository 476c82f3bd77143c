// SPDX-License-Identifier: MIT
// A box that follows a target by whole cells.
#include "compute/passes.h"
#include "tests/physics/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

constexpr float kH = 1.0f / 16;

Settings openBox(std::uint32_t ratio, Precision precision) {
    Settings s = stillBox({24, 16, 20}, kH);
    s.grid.sides = {};
    s.grid.precision = precision;
    s.grid.pressureRatio = ratio;
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 3};
    s.timeStep = 1.0f / 32;
    s.flow.inflow = {1.0f, 0.0f, 0.25f};
    s.initial.push_back({.shape = {ShapeKind::Box, {0.75f, 0.5f, 0.6f}, 0.0f, glm::vec3(4.0f)}, .velocity = s.flow.inflow, .colour = {1.0f, 0.5f, 0.25f}});
    s.initial.push_back({.field = InitialField::Gaussian, .shape = {.centre = {0.8f, 0.5f, 0.5f}, .radius = 0.2f}, .density = 0.9f, .colour = {1.0f, 0.5f, 0.25f}});
    s.initial.push_back({.shape = {.centre = {0.7f, 0.5f, 0.6f}, .radius = 0.25f}, .density = 0.3f, .velocity = {0.3f, 0.9f, -0.4f}});
    return s;
}

class Follow : public PhysicsTest {
protected:
    static void scroll(Simulation& s, glm::ivec3 cells) {
        s.recorder.begin();
        Fields& f = s.simulator.fields();
        s.recorder.setCommon({{"stepData", f.step}});
        recordScroll(s.recorder, f, s.simulator.settings(), cells);
        s.recorder.submit();
        s.recorder.finish();
    }
};

// Everything that a step begins with, in every direction, bit for bit; and what enters is the air outside.
TEST_F(Follow, ScrollingByWholeCellsChangesNothing) {
    for (const Precision precision : {Precision::Half, Precision::Float}) {
        for (const std::uint32_t ratio : {1u, 2u}) {
            for (const glm::ivec3 way : {glm::ivec3(2, 0, 0), {-4, 2, 6}, {0, -2, 0}, {24, 0, 0}}) {
                Settings s = openBox(ratio, precision);
                s.grid.scalarRatio = 2;
                Simulation simulation(device(), s);
                simulation.step(3);
                Fields& f = simulation.simulator.fields();
                const Field velocity = fieldOf(f.velocity), scalars = fieldOf(f.scalars[0]), colours = fieldOf(f.colours[0]);
                const std::vector<float> centre = download(f.centreVectors), pressure = download(f.pressure[0]);
                scroll(simulation, way);
                const Field velocityNow = fieldOf(f.velocity), scalarsNow = fieldOf(f.scalars[0]), coloursNow = fieldOf(f.colours[0]);
                std::size_t wrong = 0, kept = 0, entered = 0;
                const ivec3 cells(s.grid.cells);
                forEach(cells + 1, [&](ivec3 c) {
                    for (int axis = 0; axis < 3; ++axis) {
                        const ivec3 last = cells - 1 + unit(axis), from = c + ivec3(way);
                        if (glm::any(glm::greaterThan(c, last))) continue;
                        const bool inside = glm::all(glm::greaterThanEqual(from, ivec3(0))) && glm::all(glm::lessThanEqual(from, last));
                        ++(inside ? kept : entered);
                        wrong += velocityNow(c)[axis] != (inside ? velocity(from)[axis] : double(s.flow.inflow[axis]));
                    }
                });
                forEach(2 * cells, [&](ivec3 c) {
                    const ivec3 from = c + 2 * ivec3(way);
                    const bool inside = scalars.contains(from);
                    wrong += scalarsNow(c) != (inside ? scalars(from) : dvec4(0.0));
                    wrong += coloursNow(c) != (inside ? colours(from) : dvec4(0.0));
                });
                EXPECT_EQ(wrong, 0u) << way.x << " " << way.y << " " << way.z << ", ratio " << ratio;
                EXPECT_GT(entered, 0u);
                if (way.x != 24) {
                    EXPECT_GT(kept, entered);
                }
            }
        }
    }
}

// There and back again: what did not leave in between is what it was, pressure and the vectors of vorticity too.
TEST_F(Follow, ThereAndBackLeavesTheMiddle) {
    const Settings s = openBox(2, Precision::Half);
    Simulation simulation(device(), s);
    simulation.step(2);
    Fields& f = simulation.simulator.fields();
    const auto look = [&] { return std::pair{download(f.centreVectors), download(f.pressure[0])}; };
    const auto before = look();
    scroll(simulation, {2, -2, 4});
    const auto away = look();
    scroll(simulation, {-2, 2, -4});
    const auto after = look();
    const gpu::PressureLevel level = f.pressureLevel();
    std::size_t wrong = 0, moved = 0;
    forEach(level.cells, [&](ivec3 C) {
        const auto i = static_cast<std::size_t>(gpu::cellIndex(level, C));
        const bool stayed = C.x >= 1 && C.y < level.cells.y - 1 && C.z >= 2;
        wrong += after.second[i] != (stayed ? before.second[i] : 0.0f);
        moved += away.second[i] != before.second[i];
    });
    EXPECT_EQ(wrong, 0u);
    EXPECT_GT(moved, 100u);
    const auto words = before.first.size() / Field(ivec3(s.grid.cells)).count();  // two halves each
    forEach(ivec3(s.grid.cells), [&](ivec3 c) {
        if (c.x < 2 || c.y >= 14 || c.z < 4) return;
        const auto i = static_cast<std::size_t>((c.z * 16 + c.y) * 24 + c.x) * words;
        for (std::size_t n = 0; n < words; ++n) wrong += after.first[i + n] != before.first[i + n];
    });
    EXPECT_EQ(wrong, 0u);
}

// In a wind that carries everything along, a box that goes with it sees smoke at rest; one that stays sees it go.
TEST_F(Follow, GoesWithItsTarget) {
    Settings s = openBox(2, Precision::Half);
    s.initial = {{.shape = {ShapeKind::Box, {0.75f, 0.5f, 0.6f}, 0.0f, glm::vec3(4.0f)}, .velocity = {2.0f, 0.0f, 0.0f}},
                 {.shape = {.centre = {0.8f, 0.5f, 0.6f}, .radius = 0.2f}, .density = 1.0f, .velocity = {2.0f, 0.0f, 0.0f}}};
    s.flow.inflow = {2.0f, 0.0f, 0.0f};  // a cell a step
    s.follow.keys = {{.t = 0.0f, .centre = {5.0f, 0.0f, 0.0f}}, {.t = 10.0f, .centre = {25.0f, 0.0f, 0.0f}}};
    Simulation simulation(device(), s);
    const double mass = simulation.measure().mass;
    simulation.step(80);
    EXPECT_NEAR(simulation.measure().mass, mass, 1e-3 * mass);
    // After n steps the last one began at t = (n - 1) / 32 s, when the target had gone n - 1 cells: 79, of which 78 is the multiple of two below.
    EXPECT_EQ(simulation.simulator.state().followed, glm::i64vec3(78, 0, 0));
    EXPECT_FLOAT_EQ(simulation.simulator.settings().grid.origin.x, 78 * kH);
    const double moved = double(80 - 78) * double(kH);
    const Field density = densityOf(simulation);
    double sum = 0.0, x = 0.0;
    forEach(density.size(), [&](ivec3 c) {
        sum += density(c).x;
        x += density(c).x * (c.x + 0.5) * double(kH);
    });
    EXPECT_NEAR(x / sum, 0.8 + moved, 0.25 * double(kH));
}

// A jump by more than the box is a fresh start in the air outside, whatever was there; and the run goes on.
TEST_F(Follow, AJumpBeginsAnew) {
    Settings s = openBox(2, Precision::Half);
    Simulation simulation(device(), s);
    simulation.step(3);
    simulation.simulator.follow({1000.0f, -500.0f, 3.0f});
    simulation.step();
    const Quality quality = simulation.measure();
    EXPECT_TRUE(quality.finite());
    EXPECT_EQ(quality.mass, 0.0);
    const Field velocity = velocityOf(simulation);
    forEach(ivec3(s.grid.cells), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) ASSERT_NEAR(velocity(c)[axis], double(s.flow.inflow[axis]), 1e-3) << c.x << " " << c.y << " " << c.z;
    });
    simulation.step(5);
    EXPECT_TRUE(simulation.measure().finite());
    EXPECT_THROW(simulation.simulator.follow({std::numeric_limits<float>::quiet_NaN(), 0.0f, 0.0f}), std::invalid_argument);
}

// Gusts have the rms that is asked for, on what enters alone, and belong to places of the world: the same wherever the box was before.
TEST_F(Follow, GustsBelongToThePlace) {
    Settings s = openBox(1, Precision::Float);
    s.flow.gust = 0.5f;
    s.flow.gustScale = 0.15f;
    const auto after = [&](std::vector<glm::vec3> places) {
        Simulation simulation(device(), s);
        for (const glm::vec3& place : places) {
            simulation.simulator.follow(place);
            simulation.step();
        }
        return velocityOf(simulation);
    };
    const Field once = after({{40.75f, 0.5f, 0.625f}}), twice = after({{9.0f, 3.0f, 1.0f}, {40.75f, 0.5f, 0.625f}});
    EXPECT_EQ(once.values(), twice.values());
    Simulation simulation(device(), s);
    scroll(simulation, {200, 0, 0});
    const Field velocity = fieldOf(simulation.simulator.fields().velocity);
    dvec3 mean(0.0), squares(0.0);
    forEach(ivec3(s.grid.cells), [&](ivec3 c) {
        const dvec3 gust = dvec3(velocity(c)) - dvec3(s.flow.inflow);
        mean += gust;
        squares += gust * gust;
    });
    const double count = 24.0 * 16.0 * 20.0, eddies = 10.0 * 6.7 * 8.3;  // cells of the noise's lattice
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(std::sqrt(squares[axis] / count), 0.5, 0.5 * 4.0 / std::sqrt(eddies)) << axis;
        EXPECT_NEAR(mean[axis] / count, 0.0, 0.5 * 4.0 / std::sqrt(eddies)) << axis;
    }
}

}  // namespace
}  // namespace wisp::test
