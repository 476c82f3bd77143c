// SPDX-License-Identifier: MIT
// Emitters that move by keys, turn, or are meshes, in whole steps.
#include "tests/physics/simulation.h"
#include "tests/support/meshes.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>

namespace wisp::test {
namespace {

constexpr float kEmitterCell = 1.0f / 16.0f, kDt = 1.0f / 16.0f;
constexpr int kEmitterSteps = 4;

class Emitters : public PhysicsTest {
protected:
    /// 48x16x16 cells with one emitter, a sphere of 2.5 cells.
    static Settings box() {
        Settings s = stillBox({48, 16, 16}, kEmitterCell);
        s.timeStep = kDt;
        s.emitters.resize(1);
        s.emitters[0].shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 2.5f * kEmitterCell};
        return s;
    }
    /// Moves the emitter by eight cells along x in each of the kEmitterSteps steps. Its size is five cells.
    static void move(Settings& s) {
        const glm::vec3 from = s.emitters[0].shape.centre, by(8.0f * kEmitterCell, 0.0f, 0.0f);
        s.emitters[0].keys = {{0.0f, from}, {kEmitterSteps * kDt, from + static_cast<float>(kEmitterSteps) * by}};
    }
    /// Density at t = 0, where emitters fill their shape.
    Field start(const Settings& settings) {
        Simulation s(device(), settings);
        s.recorder.finish();
        return densityOf(s);
    }
    static double smoke(double phi) { return glm::smoothstep(-1.0, 1.0, -phi / double{kEmitterCell}); }
};

TEST_F(Emitters, AFastOneLeavesATrailWithoutGapsAndNoWind) {
    Settings settings = box();
    settings.emitters[0].density = 1.0f;
    move(settings);
    Simulation s(device(), settings);
    s.step(kEmitterSteps);
    const Field density = densityOf(s);
    // The axis is an edge of cells. Their centres are at most 0.87 cells from a position of the emitter, and smoke is full to 1.5 cells.
    for (int x = 8; x < 40; ++x) EXPECT_EQ(density(ivec3(x, 8, 8)).x, 1.0) << x;
    EXPECT_EQ(density(ivec3(44, 8, 8)).x, 0.0);  // the centre is 4.5 cells from the end of the path
    EXPECT_EQ(density(ivec3(3, 8, 8)).x, 0.0);
    EXPECT_EQ(s.measure().maxSpeed, 0.0);
}

TEST_F(Emitters, AVelocityIsSetOnAllOfThePath) {
    Settings settings = box();
    settings.emitters[0].hasVelocity = true;
    settings.emitters[0].velocity = {0.0f, 1.0f, 0.0f};
    settings.grid.sides = {};  // open, so that the pressure does not stop the wind
    move(settings);
    Simulation s(device(), settings);
    s.step();
    // The projection keeps more of the wind in the middle of a cylinder across it than outside: a half, in an unbounded fluid.
    const Field velocity = velocityOf(s);
    for (int x = 9; x < 15; ++x) EXPECT_GT(velocity(ivec3(x, 8, 8)).y, 0.25) << x;
}

TEST_F(Emitters, WhatARateAddsDoesNotDependOnTheSpeed) {
    Settings settings = box();
    settings.emitters[0].densityRate = 4.0f;
    Simulation still(device(), settings);
    still.step(kEmitterSteps);
    move(settings);
    Simulation moving(device(), settings);
    moving.step(kEmitterSteps);
    // Whole cells per position, so that each position fills the same parts of cells. Each cell of the trail is a sum of at most 32 terms,
    // and a centre is off by half a unit of 2^-22 m, over which the profile changes by 1.5 / 2 per cell.
    const double expected = still.measure().mass, sum = 32.0 * std::exp2(-24.0), offset = std::exp2(-23.0) / double{kEmitterCell} * 0.75;
    ASSERT_GT(expected, 0.0);
    EXPECT_NEAR(moving.measure().mass, expected, expected * (sum + offset) * 4.0);
}

TEST_F(Emitters, ATurnedBoxIsTheOtherBox) {
    Settings settings = box();
    settings.emitters[0].density = 1.0f;
    settings.emitters[0].shape = {
        .kind = ShapeKind::Box, .centre = {1.53f, 0.52f, 0.51f}, .half = {4.0f * kEmitterCell, kEmitterCell, 2.0f * kEmitterCell}};
    settings.emitters[0].rotation = {0.0f, 0.0f, glm::half_pi<float>()};
    const Field turned = start(settings);
    settings.emitters[0].rotation = glm::vec3(0.0f);
    settings.emitters[0].shape.half = {kEmitterCell, 4.0f * kEmitterCell, 2.0f * kEmitterCell};
    const Field other = start(settings);
    double most = 0.0;
    forEach(ivec3(48, 16, 16), [&](ivec3 c) {
        // A rotation in floats moves a point by a few units of 2^-24 of its distance, below a metre; over a cell the profile rises by 0.75.
        EXPECT_NEAR(turned(c).x, other(c).x, 8.0 * std::exp2(-24.0) / double{kEmitterCell} * 0.75) << c.x << " " << c.y << " " << c.z;
        most = std::max(most, turned(c).x);
    });
    EXPECT_GT(most, 0.4);
}

class MeshEmitter : public Emitters {
protected:
    static constexpr float kRadius = 5.0f * kEmitterCell;
    /// A sphere of triangles instead of the sphere. Level 4 has edges of at most 0.083 radii: they lie inside by at most 0.0012 radii.
    static Settings ball() {
        Settings s = box();
        s.meshes = {shared(icosphere(4, 2.0f))};
        s.emitters[0].shape = {.kind = ShapeKind::Mesh, .centre = {1.01f, 0.51f, 0.49f}, .scale = 0.5f * kRadius};
        s.emitters[0].density = 1.0f;
        return s;
    }
    /// The second derivative of a sphere's distance across is at most 1 / d at the distance d from its centre; along two axes. Near the
    /// layer of smoke and its voxels, d is at least 2 cells. A profile rises by at most 0.75 per cell.
    static constexpr double kError = 0.75 * (2.0 / 8.0 / 2.0 + 0.0012 * 5.0);
    static double outside(ivec3 c) {
        return glm::distance((dvec3(c) + 0.5) * double{kEmitterCell}, dvec3(1.01, 0.51, 0.49)) - double{kRadius};
    }
};

TEST_F(MeshEmitter, FillsItsInside) {
    const Field density = start(ball());
    forEach(ivec3(48, 16, 16), [&](ivec3 c) { EXPECT_NEAR(density(c).x, smoke(outside(c)), kError) << c.x << " " << c.y << " " << c.z; });
}

TEST_F(MeshEmitter, FillsItsSurface) {
    Settings settings = ball();
    settings.emitters[0].fill = EmitterFill::Surface;
    const Field density = start(settings);
    forEach(ivec3(48, 16, 16), [&](ivec3 c) {
        if (outside(c) < -3.0 * double{kEmitterCell}) EXPECT_EQ(density(c).x, 0.0);  // nearer to the centre the distance has no derivative
        else EXPECT_NEAR(density(c).x, smoke(std::abs(outside(c)) - double{kEmitterCell}), kError) << c.x << " " << c.y << " " << c.z;
    });
}

TEST_F(MeshEmitter, MovesAndLeavesATrail) {
    Settings settings = ball();
    settings.emitters[0].shape.centre = {0.5f, 0.5f, 0.5f};
    settings.emitters[0].fill = EmitterFill::Surface;
    move(settings);
    Simulation s(device(), settings);
    s.step(kEmitterSteps);
    const Field density = densityOf(s);
    for (int x = 8; x < 40; ++x) EXPECT_GT(density(ivec3(x, 12, 8)).x, 1.0 - kError) << x;  // 4.5 cells from the axis, in the layer
}

TEST_F(MeshEmitter, FillsWithLiquid) {
    Settings settings = stillBox({32, 16, 16}, kEmitterCell);
    settings.timeStep = kDt;
    settings.grid.pressureRatio = 1;
    settings.flow.gravity = glm::vec3(0.0f);
    settings.meshes = {shared(cuboid(glm::vec3(1.0f)))};
    settings.emitters.resize(1);
    settings.emitters[0].liquid = true;
    settings.emitters[0].shape = {.kind = ShapeKind::Mesh, .centre = glm::vec3(0.5f), .scale = 4.0f * kEmitterCell};
    settings.emitters[0].keys = {{0.0f, glm::vec3(0.5f)}, {kDt, {1.0f, 0.5f, 0.5f}}};
    Simulation s(device(), settings);
    // A cube of 8 cells along the cells. Distances to its sides are linear. In the parts of cells at its edges, a quarter of a cell inside,
    // the interpolated distance is (9 * -0.5 + 6 * 0.5 + sqrt(0.5)) / 16 = -0.05 cells. In the eight at its corners it is
    // (27 * -0.5 + 27 * 0.5 + 9 sqrt(0.5) + sqrt(0.75)) / 64 = 0.11 cells: these stay empty.
    EXPECT_EQ(s.measure().liquid->particles, 8.0 * 8 * 8 * 8 - 8.0);
    s.step();
    EXPECT_EQ(s.measure().liquid->particles, 8.0 * 16 * 8 * 8 - 8.0);  // nothing moves without gravity
}

}  // namespace
}  // namespace wisp::test
