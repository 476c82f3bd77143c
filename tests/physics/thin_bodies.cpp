// SPDX-License-Identifier: MIT
// Smoke that passes through thin bodies is counted.
#include "compute/smoke/smoke_passes.h"
#include "tests/physics/simulation.h"
#include "tests/support/meshes.h"

#define GLM_ENABLE_EXPERIMENTAL
#include <glm/geometric.hpp>
#include <glm/gtx/component_wise.hpp>

#include <cmath>
#include <functional>
#include <string>

namespace wisp::test {
namespace {

constexpr float kH = 1.0f / 32;
constexpr dvec3 kMiddle(0.443125, 0.125, 0.125);

/// A plate through the whole channel, `thickness` cells thick, turned about z by `angle`.
ObstacleSettings plate(float thickness, float angle) {
    return {.shape = {.kind = ShapeKind::Box, .centre = kMiddle, .half = {0.5f * thickness * kH, 2.0f, 2.0f}},
            .rotation = {0.0f, 0.0f, angle}};
}

/// Smoke at rest in a channel of 32 cells along x.
Settings channel() {
    Settings s = stillBox({32, 8, 8}, kH);
    s.pressure.iterations = 2;  // there is nothing to solve
    s.timeStep = 0.7f * kH;
    s.advection.scheme = AdvectionScheme::SemiLagrangian;
    s.initial.push_back({.shape = {ShapeKind::Sphere, {0.17f, 0.11f, 0.12f}, 0.09f}, .density = 1.5f});
    return s;
}

/// Wind of 0.7 cells a step through a plate that no corner of a cell is in. So the plate closes no face, the wind stays uniform, and
/// semi-Lagrangian advection, which then has the same weights everywhere, keeps all mass.
Settings windThroughPlate(float angle = 0.35f) {
    Settings s = channel();
    s.grid.sides[0] = Side::Inflow;
    s.grid.sides[1] = Side::Open;
    s.flow.inflow = {1.0f, 0.0f, 0.0f};
    s.obstacles.push_back(plate(0.02f, angle));
    s.initial.front().velocity = s.flow.inflow;
    s.initial.insert(s.initial.begin(), {.shape = {ShapeKind::Box, glm::vec3(0.0f), 0.0f, glm::vec3(9.0f)}, .velocity = s.flow.inflow});
    return s;
}

/// The same as a mesh, whose bounding box has its centre `shift` cells beyond the plate.
ObstacleSettings meshPlate(Settings& s, const Mesh& mesh, float shift) {
    s.meshes = {std::make_shared<const Mesh>(mesh)};
    ObstacleSettings o = s.obstacles[0];
    o.shape.kind = ShapeKind::Mesh;
    o.shape.centre += shift * kH * glm::vec3(std::cos(o.rotation.z), std::sin(o.rotation.z), 0.0f);
    return o;
}

struct PlateCase {
    const char* name;
    std::function<void(Settings&)> change;
    float angle = 0.35f;
};

class CrossedMass : public PhysicsTest {
protected:
    static double cellOf(const GridSettings& g) { return glm::compMul(glm::dvec3(g.size) / glm::dvec3(g.scalarCells())); }
    /// Mass in the cells whose centres are on the far side of a plane.
    double beyond(Simulation& s, dvec3 point, double angle) {
        const GridSettings& grid = s.simulator.settings().grid;
        const Field density = densityOf(s);
        double sum = 0.0;
        forEach(density.size(), [&](ivec3 c) {
            const dvec3 x = dvec3(grid.size) * (dvec3(c) + 0.5) / dvec3(grid.scalarCells());
            if (glm::dot(x - point, dvec3(std::cos(angle), std::sin(angle), 0.0)) >= 0.0) sum += density(c).x;
        });
        return sum * cellOf(grid);
    }
    /// Error of the sums: weights have 16 roundings, and a value one of its storage. Parts are rounded in every cell.
    static double tolerance(const GridSettings& g, double mass, int steps) {
        const double storage = g.precision == Precision::Half ? std::exp2(-11.0) : 6e-8;
        return steps * (mass * (16.0 * 6e-8 + storage) + double(countOf(g.scalarCells())) * std::exp2(-25.0) * cellOf(g));
    }
};

// An independent count: all that is beyond the plate has crossed it.
TEST_F(CrossedMass, IsWhatIsBeyondAClosingPlate) {
    const PlateCase cases[] = {
        {"float", [](Settings&) {}},
        {"half", [](Settings& s) { s.grid.precision = Precision::Half; }},
        {"steep", [](Settings&) {}, -0.9f},
        {"ratio 2", [](Settings& s) { s.grid.pressureRatio = 2; }},
        {"ratio 4", [](Settings& s) { s.grid.pressureRatio = 4; }},
        {"finer scalars", [](Settings& s) { s.grid.scalarRatio = 2; }},
        {"flat", [](Settings& s) { s.grid.cells.z = 1, s.grid.size.z = kH, s.initial.back().shape.centre.z = 0.5f * kH; }},
        {"flat, capsule",
         [](Settings& s) {
             s.grid.cells.z = 1, s.grid.size.z = kH, s.initial.back().shape.centre.z = 0.5f * kH;
             s.obstacles[0].shape.kind = ShapeKind::Capsule;
             s.obstacles[0].shape.half = {0.0f, 1.0f, 0.0f};
             s.obstacles[0].shape.centre.z = 0.5f * kH;
             s.obstacles[0].shape.radius = 0.01f * kH;
         }},
        {"periodic",
         [](Settings& s) {
             for (const std::size_t side : {2u, 3u, 4u, 5u}) s.grid.sides[side] = Side::Periodic;
             s.obstacles[0].shape.half = {0.01f * kH, 0.125f, 0.125f};
         },
         0.0f},
        {"mesh",
         [](Settings& s) {
             s.obstacles[0] = meshPlate(s, cuboid({0.01f * kH, 0.6f, 0.6f}), 0.0f);
         }},
        // A small piece outside of the channel shifts the grid of the mesh: no voxel is in the plate.
        {"mesh between voxels",
         [](Settings& s) {
             const Mesh piece = moved(cuboid({0.01f * kH, 0.01f, 0.01f}), {0.8f * kH, 0.55f, 0.55f});
             s.obstacles[0] = meshPlate(s, joined(cuboid({0.01f * kH, 0.6f, 0.6f}), piece), 0.4f);
         }},
    };
    for (const PlateCase& c : cases) {
        Settings settings = windThroughPlate(c.angle);
        c.change(settings);
        Simulation s(device(), settings);
        const double all = s.measure().mass;
        EXPECT_EQ(s.measure().crossedMass, 0.0) << c.name;
        for (int n = 1; n <= 20; ++n) {
            s.step();
            const Quality q = s.measure();
            EXPECT_NEAR(q.maxSpeed, 1.0, 1e-6) << c.name << ": the plate closes faces";
            EXPECT_NEAR(beyond(s, kMiddle, c.angle), q.crossedMass.value_or(-1.0), tolerance(settings.grid, all, n)) << c.name << ' ' << n;
        }
        EXPECT_GT(s.measure().crossedMass, 0.9 * all) << c.name;
    }
}

// Bricks, and the default scheme. Its correction keeps the mass no more, so there is no independent count.
TEST_F(CrossedMass, OfBricksIsThatOfTheWholeGrid) {
    double crossed[2];
    for (const bool sparse : {false, true}) {
        Settings settings = windThroughPlate();
        settings.grid.sparse = sparse;
        settings.grid.pressureRatio = 2;
        settings.advection.scheme = AdvectionScheme::MacCormack;
        Simulation s(device(), settings);
        const double all = s.measure().mass;
        s.step(20);
        crossed[sparse ? 1 : 0] = s.measure().crossedMass.value_or(-1.0);
        EXPECT_GT(crossed[sparse ? 1 : 0], 0.9 * all);
    }
    // Roundings of 20 steps: the coarse velocity of bricks is a mean of fine faces.
    EXPECT_NEAR(crossed[0], crossed[1], 20.0 * 16.0 * 6e-8 * crossed[0]);
}

// Smoke at rest: what the plate has moved through has crossed it. No corner of a cell is ever in it, so the air stays at rest.
TEST_F(CrossedMass, CountsSmokeAtRestThatAPlateMovesThrough) {
    Settings settings = channel();
    settings.timeStep = 0.125f;
    settings.initial.front().shape = {ShapeKind::Box, glm::vec3(0.5f), 0.0f, {0.25f, 1.0f, 1.0f}};
    settings.obstacles.push_back(plate(0.02f, 0.0f));
    settings.obstacles[0].shape.centre.x = 6.25f * kH;
    settings.obstacles[0].velocity.x = 4.0f * kH;  // half a cell a step
    Simulation s(device(), settings);
    const double all = s.measure().mass;
    for (int n = 1; n <= 40; ++n) {
        const dvec3 point(double(settings.obstacles[0].shape.centre.x) + n * 0.5 * double(kH), 0.0, 0.0);
        s.step();
        EXPECT_NEAR(s.measure().crossedMass.value_or(-1.0), all - beyond(s, point, 0.0), tolerance(settings.grid, all, n)) << n;
    }
    EXPECT_NEAR(beyond(s, dvec3(0.0), 0.0), all, tolerance(settings.grid, all, 40));
    EXPECT_NEAR(s.measure().crossedMass.value_or(-1.0), all, tolerance(settings.grid, all, 40));
}

// A blade turns about a point in smoke at rest, by 0.11 in each step. The smoke of the cells whose centres change sides has crossed it. It
// is so thin that no corner of a cell is in it.
TEST_F(CrossedMass, CountsSmokeAtRestThatABladeTurnsThrough) {
    Settings settings = stillBox({16, 16, 4}, kH);
    settings.pressure.iterations = 2;
    settings.timeStep = 0.125f;
    settings.initial.push_back({.shape = {ShapeKind::Sphere, {0.3f, 0.25f, 0.06f}, 0.15f}, .density = 0.75f});
    settings.obstacles.push_back(plate(1e-4f, 0.2f));
    settings.obstacles[0].shape.centre = {0.24f, 0.26f, 0.06f};
    settings.obstacles[0].angularVelocity.z = 0.88f;
    Simulation s(device(), settings);
    double expected = 0.0;
    for (int n = 0; n < 12; ++n) {
        s.step();
        const Field density = densityOf(s);
        forEach(density.size(), [&](ivec3 c) {
            const dvec3 d = double(kH) * (dvec3(c) + 0.5) - dvec3(settings.obstacles[0].shape.centre);
            const auto side = [&](int step) {
                const double angle = double(0.2f) + step * 0.125 * double(0.88f);
                return std::cos(angle) * d.x + std::sin(angle) * d.y > 0.0;
            };
            if (side(n) != side(n + 1)) expected += density(c).x * cellOf(settings.grid);
        });
        EXPECT_EQ(s.measure().maxSpeed, 0.0) << "the blade closes faces";
        EXPECT_NEAR(s.measure().crossedMass.value_or(-1.0), expected, tolerance(settings.grid, expected, n + 1)) << n;
    }
    EXPECT_GT(expected, 0.0);
}

// Warm smoke rises along x against a plate through a closed box. `measured`: the pass runs in any case.
Settings smokeAgainstPlate(float thickness) {
    Settings s = stillBox({32, 32, 8}, kH);
    s.flow.buoyancy = 0.03f;
    s.flow.gravity = {-9.81f, 0.0f, 0.0f};
    s.timeStep = 1.0f / 60;
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 3};
    s.emitters.push_back({.shape = {ShapeKind::Sphere, {0.2f, 0.5f, 0.12f}, 0.1f}, .density = 1.0f, .temperature = 500.0f});
    s.obstacles.push_back(plate(thickness, 0.5236f));
    s.obstacles[0].shape.centre.x = s.obstacles[0].shape.centre.y = 0.5f;
    return s;
}

// The scene of a report: leaked_mass is 0 while half of the smoke is through. Some of it comes back, which counts twice.
TEST_F(CrossedMass, IsFoundWhereLeakedMassIsZero) {
    Simulation s(device(), smokeAgainstPlate(0.32f));
    s.step(50);
    const Quality q = s.measure();
    const double through = beyond(s, dvec3(0.5), double(0.5236f));
    EXPECT_GT(through, 0.4 * q.mass);
    EXPECT_EQ(q.leakedMass, 0.0);
    EXPECT_GT(q.crossedMass, 0.9 * through);
    EXPECT_LT(q.crossedMass, 1.5 * through);
}

// Nothing is beyond a plate of three cells, and none has crossed it. A plate of 4.5 cells is not measured, so the test runs the pass
// itself.
TEST_F(CrossedMass, IsZeroWithThickPlates) {
    for (const float thickness : {3.0f, 4.5f}) {
        Simulation s(device(), smokeAgainstPlate(thickness));
        for (int n = 0; n < 50; ++n) {
            s.step();
            if (thickness < 4.0f) continue;
            const Fields& f = s.simulator.fields();
            s.recorder.begin();
            recordCrossedMass(s.recorder, f.domain, f.flow, f.smoke, {.bodies = 1, .motion = 0.0f});
            s.recorder.submit();
        }
        EXPECT_EQ(s.measure().crossedMass, 0.0);
        EXPECT_EQ(beyond(s, dvec3(0.5), double(0.5236f)), 0.0);
        EXPECT_GT(s.measure().mass, 0.005);
    }
}

TEST_F(CrossedMass, StartsAgainWithTheSmoke) {
    Simulation s(device(), windThroughPlate());
    s.step(20);
    EXPECT_GT(s.measure().crossedMass, 0.0);
    s.recorder.begin();
    s.simulator.clear(s.recorder);
    s.recorder.submit();
    EXPECT_EQ(s.measure().crossedMass, 0.0);
}

}  // namespace
}  // namespace wisp::test
