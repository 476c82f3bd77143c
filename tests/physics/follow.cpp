// SPDX-License-Identifier: MIT
// A box that follows a target by whole cells.
#include "compute/scene/motion.h"
#include "compute/sim/scroll.h"
#include "tests/physics/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

constexpr float kFollowedCell = 1.0f / 16;

Settings openBox(std::uint32_t ratio, Precision precision) {
    Settings s = stillBox({24, 16, 20}, kFollowedCell);
    s.grid.sides = {};
    s.grid.precision = precision;
    s.grid.pressureRatio = ratio;
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 3};
    s.timeStep = 1.0f / 32;
    s.flow.inflow = {1.0f, 0.0f, 0.25f};
    s.initial.push_back(
        {.shape = {ShapeKind::Box, {0.75f, 0.5f, 0.6f}, 0.0f, glm::vec3(4.0f)}, .velocity = s.flow.inflow, .colour = {1.0f, 0.5f, 0.25f}});
    s.initial.push_back({.field = InitialField::Gaussian,
                         .shape = {.centre = {0.8f, 0.5f, 0.5f}, .radius = 0.2f},
                         .density = 0.9f,
                         .colour = {1.0f, 0.5f, 0.25f}});
    s.initial.push_back({.shape = {.centre = {0.7f, 0.5f, 0.6f}, .radius = 0.25f}, .density = 0.3f, .velocity = {0.3f, 0.9f, -0.4f}});
    return s;
}

class Follow : public PhysicsTest {
protected:
    static void scroll(Simulation& s, glm::ivec3 cells) {
        s.recorder.begin();
        Fields& f = s.simulator.fields();
        s.recorder.setCommon({{"stepData", f.domain.step}});
        recordScroll(s.recorder, f.domain, f.flow, f.pressure, f.smoke, s.simulator.settings(), cells, s.simulator.time());
        s.recorder.submit();
        s.recorder.finish();
    }
};

// The state at the beginning of a step moves bit for bit, in every direction. New cells get the ambient flow.
TEST_F(Follow, ScrollingKeepsTheBits) {
    for (const Precision precision : {Precision::Half, Precision::Float}) {
        for (const std::uint32_t ratio : {1u, 2u}) {
            for (const glm::ivec3 way : {glm::ivec3(2, 0, 0), {-4, 2, 6}, {0, -2, 0}, {24, 0, 0}}) {
                Settings s = openBox(ratio, precision);
                s.grid.scalarRatio = 2;
                Simulation simulation(device(), s);
                simulation.step(3);
                Fields& f = simulation.simulator.fields();
                const Field velocity = fieldOf(f.flow.velocity), scalars = fieldOf(f.smoke.scalars[0]),
                            colours = fieldOf(f.smoke.colours[0]);
                const std::vector<float> centre = download(f.flow.centreVectors), pressure = download(f.pressure.pressure[0]);
                scroll(simulation, way);
                const Field velocityNow = fieldOf(f.flow.velocity), scalarsNow = fieldOf(f.smoke.scalars[0]),
                            coloursNow = fieldOf(f.smoke.colours[0]);
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

// The box moves away and back. Cells that stayed inside are unchanged, including pressure and vorticity vectors.
TEST_F(Follow, ScrollingThereAndBackRestoresTheMiddle) {
    const Settings s = openBox(2, Precision::Half);
    Simulation simulation(device(), s);
    simulation.step(2);
    Fields& f = simulation.simulator.fields();
    const auto look = [&] { return std::pair{download(f.flow.centreVectors), download(f.pressure.pressure[0])}; };
    const auto before = look();
    scroll(simulation, {2, -2, 4});
    const auto away = look();
    scroll(simulation, {-2, 2, -4});
    const auto after = look();
    const gpu::PressureLevel level = f.domain.pressureLevel();
    std::size_t wrong = 0, moved = 0;
    forEach(level.cells, [&](ivec3 C) {
        const auto i = static_cast<std::size_t>(gpu::cellIndex(level, C));
        const bool stayed = C.x >= 1 && C.y < level.cells.y - 1 && C.z >= 2;
        wrong += after.second[i] != (stayed ? before.second[i] : 0.0f);
        moved += away.second[i] != before.second[i];
    });
    EXPECT_EQ(wrong, 0u);
    EXPECT_GT(moved, 100u);
    const auto words = before.first.size() / Field(ivec3(s.grid.cells)).count();  // two 16-bit floats each
    forEach(ivec3(s.grid.cells), [&](ivec3 c) {
        if (c.x < 2 || c.y >= 14 || c.z < 4) return;
        const auto i = static_cast<std::size_t>((c.z * 16 + c.y) * 24 + c.x) * words;
        for (std::size_t n = 0; n < words; ++n) wrong += after.first[i + n] != before.first[i + n];
    });
    EXPECT_EQ(wrong, 0u);
}

// In a uniform wind, a box that moves with the wind sees smoke at rest.
TEST_F(Follow, FollowsItsTarget) {
    Settings s = openBox(2, Precision::Half);
    s.initial = {{.shape = {ShapeKind::Box, {0.75f, 0.5f, 0.6f}, 0.0f, glm::vec3(4.0f)}, .velocity = {2.0f, 0.0f, 0.0f}},
                 {.shape = {.centre = {0.8f, 0.5f, 0.6f}, .radius = 0.2f}, .density = 1.0f, .velocity = {2.0f, 0.0f, 0.0f}}};
    s.flow.inflow = {2.0f, 0.0f, 0.0f};  // one cell per step
    s.follow.keys = {{.t = 0.0f, .centre = {0.75f, 0.5f, 0.625f}}, {.t = 10.0f, .centre = {20.75f, 0.5f, 0.625f}}};
    Simulation simulation(device(), s);
    const double mass = simulation.measure().mass;
    simulation.step(80);
    EXPECT_NEAR(simulation.measure().mass, mass, 1e-3 * mass);
    // After n steps, the last step began at t = (n - 1) / 32 s. The target had moved n - 1 = 79 cells. The nearest multiple of two is 80.
    EXPECT_EQ(simulation.simulator.state().followed, glm::i64vec3(80, 0, 0));
    EXPECT_FLOAT_EQ(simulation.simulator.settings().grid.origin.x, 80 * kFollowedCell);
    const Field density = densityOf(simulation);
    double sum = 0.0, x = 0.0;
    forEach(density.size(), [&](ivec3 c) {
        sum += density(c).x;
        x += density(c).x * (c.x + 0.5) * double(kFollowedCell);
    });
    EXPECT_NEAR(x / sum, 0.8, 0.25 * double(kFollowedCell));
}

// The box follows a moving body. No smoke enters the body, and the face apertures equal those of a box at a fixed position.
TEST_F(Follow, BodyThatTheBoxFollowsStaysIntact) {
    for (const std::uint32_t ratio : {1u, 2u}) {
        Settings s = openBox(ratio, Precision::Half);
        s.initial = {{.shape = {ShapeKind::Box, {0.75f, 0.5f, 0.6f}, 0.0f, glm::vec3(4.0f)}, .density = 0.5f}};
        s.flow.inflow = {};
        s.follow.keys = {{.t = 0.0f, .centre = {0.75f, 0.5f, 0.625f}}, {.t = 2.0f, .centre = {3.75f, 1.25f, -0.875f}}};
        s.obstacles.push_back({.shape = {.centre = {0.75f, 0.5f, 0.625f}, .radius = 0.2f}, .keys = s.follow.keys});
        Simulation simulation(device(), s);
        for (int n = 0; n < 32; ++n) {
            simulation.step();
            const Quality quality = simulation.measure();
            ASSERT_TRUE(quality.finite());
            ASSERT_EQ(quality.leakedMass, 0.0) << n;
        }
        EXPECT_NE(simulation.simulator.state().followed.x, 0);
        EXPECT_NE(simulation.simulator.state().followed.z, 0);
        Settings still = s;
        still.grid = simulation.simulator.settings().grid;
        still.follow.keys.clear();
        still.obstacles[0].keys.clear();
        still.obstacles[0].shape.centre = obstacleCentre(s.obstacles[0], simulation.simulator.time());
        Simulation other(device(), still);
        const Field moved = fieldOf(simulation.simulator.fields().domain.aperture),
                    there = fieldOf(other.simulator.fields().domain.aperture);
        std::size_t closed = 0;
        forEach(ivec3(s.grid.cells), [&](ivec3 c) {
            closed += there(c).w == 0.0;
            for (int k = 0; k < 4; ++k)
                ASSERT_NEAR(moved(c)[k], there(c)[k], 1.5 / 255.0) << c.x << " " << c.y << " " << c.z;  // one unit of an 8-bit aperture
        });
        EXPECT_GT(closed, 50u);
    }
}

// A body at rest in the world moves through the cells of a box that follows a target, on every level of the pressure grid.
TEST_F(Follow, BodyAtRestMovesThroughTheBox) {
    for (const std::uint32_t ratio : {1u, 2u}) {
        Settings s = openBox(ratio, Precision::Float);
        s.obstacles.push_back({.shape = {.centre = {0.9f, 0.5f, 0.6f}, .radius = 0.2f}});
        s.follow.keys = {{0.0f, {0.75f, 0.5f, 0.625f}}, {0.5f, {1.05f, 0.5f, 0.625f}}};
        Simulation simulation(device(), s);
        simulation.step(16);
        const GridSettings& there = simulation.simulator.settings().grid;
        ASSERT_GT(there.origin.x, s.grid.origin.x);
        Settings still = s;
        still.follow.keys.clear();
        still.grid.origin = there.origin;
        Simulation fresh(device(), still);
        fresh.step();
        Fields &f = simulation.simulator.fields(), &g = fresh.simulator.fields();
        EXPECT_EQ(download(f.domain.aperture), download(g.domain.aperture));
        EXPECT_EQ(download(f.pressure.weights), download(g.pressure.weights));
        EXPECT_EQ(download(f.pressure.pyramid.weights), download(g.pressure.pyramid.weights));
    }
}

// A jump by more than the box size starts again from the ambient flow, and the run continues.
TEST_F(Follow, AJumpStartsFromTheAmbientFlow) {
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
        for (int axis = 0; axis < 3; ++axis)
            ASSERT_NEAR(velocity(c)[axis], double(s.flow.inflow[axis]), 1e-3) << c.x << " " << c.y << " " << c.z;
    });
    simulation.step(5);
    EXPECT_TRUE(simulation.measure().finite());
    EXPECT_THROW(simulation.simulator.follow({std::numeric_limits<float>::quiet_NaN(), 0.0f, 0.0f}), std::invalid_argument);
}

// A body is removed in the same step in which the box moves. Neither the body nor a hole in the smoke may remain.
TEST_F(Follow, BodyRemovedDuringAMoveLeavesNoTrace) {
    for (const bool byHand : {false, true}) {
        Settings s = openBox(2, Precision::Half);
        s.byHand = byHand;
        s.flow.inflow = {};
        s.initial = {{.shape = {ShapeKind::Box, {0.75f, 0.5f, 0.6f}, 0.0f, glm::vec3(4.0f)}, .density = 1.0f}};
        s.follow.keys = {{.t = 0.0f, .centre = {0.75f, 0.5f, 0.625f}}};
        s.obstacles.push_back(
            {.shape = {.centre = {0.75f, 0.5f, 0.625f}, .radius = 0.2f}, .velocity = {byHand ? 0.0f : 0.01f, 0.0f, 0.0f}});
        Simulation simulation(device(), s);
        simulation.step(2);
        const auto closed = [&] {
            const Field aperture = fieldOf(simulation.simulator.fields().domain.aperture);
            std::size_t count = 0;
            forEach(ivec3(s.grid.cells), [&](ivec3 c) { count += aperture(c).w == 0.0; });
            return count;
        };
        EXPECT_GT(closed(), 50u);
        s.obstacles.clear();
        s.follow.keys[0].centre.x += 4 * kFollowedCell;
        simulation.simulator.change(s);
        simulation.step();
        EXPECT_EQ(simulation.simulator.state().followed, glm::i64vec3(4, 0, 0));
        EXPECT_EQ(closed(), 0u);
        EXPECT_GT(densityOf(simulation)({12 - 4, 8, 10}).x, 0.9);  // at the centre of the removed body
    }
}

// A box whose target starts away from the grid position starts with the ambient flow and its gusts, like a box that jumped there.
TEST_F(Follow, StartsInTheAmbientFlow) {
    Settings s = openBox(2, Precision::Half);
    s.initial.clear();
    s.flow.gust = 0.5f;
    s.follow.keys = {{.t = 0.0f, .centre = {500.75f, 0.5f, 0.625f}}};
    s.flow.vorticity = 0.0f;  // before the first step there are no vorticity vectors of the gusts, unlike after a jump
    Simulation there(device(), s);
    const Field begun = fieldOf(there.simulator.fields().flow.velocity);
    double squares = 0.0;
    forEach(ivec3(s.grid.cells),
            [&](ivec3 c) { squares += glm::dot(dvec3(begun(c)) - dvec3(s.flow.inflow), dvec3(begun(c)) - dvec3(s.flow.inflow)) / 3.0; });
    EXPECT_NEAR(std::sqrt(squares / (24.0 * 16.0 * 20.0)), 0.5, 0.25) << "the box has about six eddies of 0.5 m";
    there.step();
    EXPECT_EQ(there.simulator.state().followed, glm::i64vec3(8000, 0, 0));
    s.follow.keys[0].centre.x = 0.75f;
    Simulation jumped(device(), s);
    jumped.simulator.follow({500.75f, 0.5f, 0.625f});
    jumped.step();
    EXPECT_EQ(velocityOf(jumped).values(), velocityOf(there).values());
}

// Gusts have the rms of the settings, in new cells only. They depend on the position in the world, not on earlier positions of the box.
TEST_F(Follow, GustsDependOnTheWorldPosition) {
    Settings s = openBox(1, Precision::Float);
    s.flow.gust = 0.5f;
    s.flow.gustScale = 0.15f;
    s.flow.inflow = {};
    const auto after = [&](const std::vector<glm::vec3>& places) {
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
    const Field velocity = fieldOf(simulation.simulator.fields().flow.velocity);
    dvec3 mean(0.0), squares(0.0);
    forEach(ivec3(s.grid.cells), [&](ivec3 c) {
        const dvec3 gust = dvec3(velocity(c)) - dvec3(s.flow.inflow);
        mean += gust;
        squares += gust * gust;
    });
    const double count = 24.0 * 16.0 * 20.0, eddies = 10.0 * 6.7 * 8.3;  // number of lattice cells of the noise
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(std::sqrt(squares[axis] / count), 0.5, 0.5 * 4.0 / std::sqrt(eddies)) << axis;
        EXPECT_NEAR(mean[axis] / count, 0.0, 0.5 * 4.0 / std::sqrt(eddies)) << axis;
    }
}

}  // namespace
}  // namespace wisp::test
