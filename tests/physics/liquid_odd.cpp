// SPDX-License-Identifier: MIT
// Edge cases of liquids: sources, obstacles, NaN, and unusual runs.
#include "compute/liquid/liquid_passes.h"
#include "tests/physics/liquid_tank.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <set>
#include <vector>

namespace wisp::test {
namespace {

constexpr float kH = 1.0f / 16;
// Relative to the volume of the water at rest in damWithABall. The surface of particles in disorder is known to an eighth of a cell, and
// the depth is 0.225 * 16 cells.
constexpr double kSurface = 0.125 / (0.225 * 16.0);
constexpr double kDown = 9.81, kHalfUnit = 0x1p-24;  // half a unit in the last place of 1

/// Signed distance [m] of a sphere, box or capsule, in double precision.
double distanceTo(const Shape& s, dvec3 x) {
    const dvec3 d = x - dvec3(s.centre), half(s.half);
    if (s.kind == ShapeKind::Sphere) return glm::length(d) - static_cast<double>(s.radius);
    if (s.kind == ShapeKind::Capsule) {
        const double t = glm::clamp(glm::dot(d, half) / glm::dot(half, half), -1.0, 1.0);
        return glm::length(d - t * half) - static_cast<double>(s.radius);
    }
    const dvec3 q = glm::abs(d) - half;
    return glm::length(glm::max(q, dvec3(0.0))) + std::min(std::max({q.x, q.y, q.z}), 0.0);
}

/// The centres of the eight octants of every cell [cells].
template <class F>
void forEachOctant(glm::uvec3 cells, F&& f) {
    forEach(ivec3(2u * cells), [&](ivec3 part) { f(0.5 * (dvec3(part) + 0.5)); });
}

/// Index of the octant that contains a position [cells].
std::size_t octantAt(glm::uvec3 cells, dvec3 p) {
    const glm::uvec3 parts = 2u * cells, part = glm::min(glm::uvec3(2.0 * p), parts - 1u);
    return (std::size_t{part.z} * parts.y + part.y) * parts.x + part.x;
}

class LiquidOdd : public LiquidTest {
protected:
    /// All measured values are finite, the number of particles is right, and no particle is inside a solid.
    void expectValid(Simulation& s, double particles) {
        const Quality q = s.measure();
        EXPECT_TRUE(q.finite()) << q.notFinite;
        for (const double n : {q.residual, q.divergenceRms, q.divergenceMax, q.maxSpeed, q.mass, q.liquid->volume, q.liquid->energy})
            EXPECT_TRUE(std::isfinite(n));
        EXPECT_EQ(q.liquid->particles, particles);
        EXPECT_EQ(q.liquid->inSolids, 0.0);
        EXPECT_EQ(q.liquid->lost, 0.0);
    }
};

// The ball fills the source, so there is no liquid. The passes run without particles, on a grid that is EMPTY or SOLID everywhere. Then the
// ball leaves through a wall.
TEST_F(LiquidOdd, SourceInsideAnObstacleSpawnsOnlyAfterItLeaves) {
    for (const LiquidLook look : {LiquidLook::Surface, LiquidLook::Points}) {
        Settings s = tank(glm::uvec3(16), kH);
        s.liquid.look = look;
        s.obstacles.push_back(
            {.shape = {.centre = glm::vec3(0.5f), .radius = 0.3f}, .keys = {{0.1f, glm::vec3(0.5f)}, {0.3f, {0.5f, 0.5f, 2.0f}}}});
        s.initial.push_back(water(glm::vec3(0.4f), glm::vec3(0.6f)));
        s.emitters.push_back({.shape = {.centre = glm::vec3(0.5f), .radius = 0.12f}, .liquid = true});
        Simulation simulation(device(), s);
        expectValid(simulation, 0.0);
        simulation.step(11);
        expectValid(simulation, 0.0);
        EXPECT_EQ(simulation.measure().liquid->volume, 0.0);
        simulation.draw();
        const Field picture = fieldOf(simulation.renderer.radiance());
        for (const dvec4& pixel : picture.values()) ASSERT_TRUE(std::isfinite(glm::dot(pixel, dvec4(1.0))));

        simulation.step(29);  // to 0.33 s
        const std::vector<dvec3> positions = placesOf(simulation);
        expectValid(simulation, static_cast<double>(positions.size()));
        std::set<std::size_t> taken;
        for (const dvec3& p : positions) taken.insert(octantAt(s.grid.cells, p));
        forEachOctant(s.grid.cells, [&](dvec3 p) {  // the source must be full; distances of up to 1 m have 8 roundings
            const bool inside = distanceTo(s.emitters[0].shape, p * static_cast<double>(kH)) < -8.0 * kHalfUnit;
            EXPECT_TRUE(!inside || taken.contains(octantAt(s.grid.cells, p)));
        });
        EXPECT_GE(positions.size(), 200u) << "a ball of 0.12 m has 4/3 pi (2 * 1.92)^3 = 237 octants";
    }
}

// The GPU samples the distance to the ball linearly. The distance is convex, so the sampled distance is never smaller, and larger by up to
// h^2 / (4 r) at the distance r from the centre.
TEST_F(LiquidOdd, SourcePartlyInAnObstacleIsFullOutsideIt) {
    Settings s = tank(glm::uvec3(16), kH);
    s.obstacles.push_back({.shape = {.centre = {0.5f, 0.4f, 0.5f}, .radius = 0.25f}});
    s.initial.push_back(water({0.0f, 0.125f, 0.125f}, {0.5f, 0.5f, 0.875f}));
    s.emitters.push_back(
        {.shape = {.centre = {0.7f, 0.7f, 0.5f}, .radius = 0.2f}, .velocity = {0.0f, -1.0f, 0.0f}, .hasVelocity = true, .liquid = true});
    const double h = static_cast<double>(kH), near = h * h / (4.0 * (0.25 - std::sqrt(3.0) * h)), rounding = 8.0 * kHalfUnit;
    int least = 0, most = 0, inBall = 0;
    forEachOctant(s.grid.cells, [&](dvec3 p) {
        const double source = std::min(distanceTo(s.initial[0].shape, p * h), distanceTo(s.emitters[0].shape, p * h)),
                     ball = distanceTo(s.obstacles[0].shape, p * h);
        least += source < -rounding && ball > rounding;
        most += source < rounding && ball > -near - rounding;
        inBall += source < -rounding && ball < -near - rounding;
    });
    EXPECT_GT(inBall, 200) << "the test needs more octants inside the ball";
    EXPECT_LT(most - least, least / 20) << "the bounds are too wide for this test";
    Simulation simulation(device(), s);
    const double added = simulation.measure().liquid->particles;
    EXPECT_GE(added, least);
    EXPECT_LE(added, most);
    for (int n = 0; n < 10; ++n) {
        simulation.step(3);
        const std::vector<dvec3> positions = placesOf(simulation);
        expectValid(simulation, static_cast<double>(positions.size()));
        // With linear samples no particle is deeper than 0.05 cells, see out_of_obstacles.glsl.
        for (const dvec3& p : positions) ASSERT_GT(distanceTo(s.obstacles[0].shape, p * h), -0.05 * h - near - rounding) << n;
    }
}

// Exactly the octants whose centres are inside the shape have a particle.
TEST_F(LiquidOdd, EveryShapeIsFilled) {
    const std::vector<Shape> shapes{
        {.kind = ShapeKind::Sphere, .centre = {0.52f, 0.47f, 0.55f}, .radius = 0.31f},
        {.kind = ShapeKind::Box, .centre = {0.5f, 0.3f, 0.6f}, .half = {0.33f, 0.21f, 0.12f}},
        {.kind = ShapeKind::Capsule, .centre = {0.5f, 0.45f, 0.5f}, .radius = 0.13f, .half = {0.25f, 0.2f, -0.15f}},
        // Half of this capsule is outside the box.
        {.kind = ShapeKind::Capsule, .centre = {0.95f, 0.5f, 0.5f}, .radius = 0.2f, .half = {0.2f, 0.0f, 0.1f}}};
    for (std::size_t n = 0; n < 2 * shapes.size(); ++n) {
        const Shape& shape = shapes[n / 2];
        const bool emitter = n % 2 == 1;
        Settings s = tank(glm::uvec3(16), kH);
        if (emitter) s.emitters.push_back({.shape = shape, .liquid = true});
        else s.initial.push_back({.shape = shape, .liquid = true});
        std::set<std::size_t> in, sure;
        forEachOctant(s.grid.cells, [&](dvec3 p) {  // 16 roundings of up to 1 m
            const double phi = distanceTo(shape, p * static_cast<double>(kH));
            if (phi < 16.0 * kHalfUnit) in.insert(octantAt(s.grid.cells, p));
            if (phi < -16.0 * kHalfUnit) sure.insert(octantAt(s.grid.cells, p));
        });
        Simulation simulation(device(), s);
        const std::vector<dvec3> positions = placesOf(simulation);
        EXPECT_GE(positions.size(), sure.size()) << n;
        EXPECT_LE(positions.size(), in.size()) << n;
        EXPECT_GT(sure.size(), 300u) << n;
        for (const dvec3& p : positions) ASSERT_TRUE(in.contains(octantAt(s.grid.cells, p))) << n;
    }
}

// With particles on a lattice every sum is a sum of fractions with a denominator of at most 64. So the density is exactly 1. Off the
// lattice, only the density correction would move the particles, and it is off.
TEST_F(LiquidOdd, WithoutGravityABlockStaysToTheBit) {
    for (const LiquidTransfer transfer : {LiquidTransfer::PicFlip, LiquidTransfer::Apic}) {
        for (const bool lattice : {true, false}) {
            Settings s = tank(glm::uvec3(16), kH);
            s.flow.gravity = glm::vec3(0.0f);
            s.liquid.transfer = transfer;
            if (lattice) s.liquid.jitter = 0.0f;
            else s.liquid.densityRate = 0.0f;
            s.initial.push_back(water(glm::vec3(0.25f), glm::vec3(0.75f)));
            Simulation simulation(device(), s);
            const std::vector<dvec3> before = placesOf(simulation);
            ASSERT_EQ(before.size(), 8u * 8 * 8 * 8);
            simulation.step(20);
            EXPECT_EQ(placesOf(simulation), before);
            EXPECT_EQ(simulation.measure().maxSpeed, 0.0);
        }
    }
}

// The same limit as in docs/liquid.md for a column that rests on the floor, with box and gravity turned.
TEST_F(LiquidOdd, ColumnRestsOnAnySide) {
    for (const glm::vec3 down : {glm::vec3(1, 0, 0), glm::vec3(0, 0, -1), glm::vec3(0, 1, 0)}) {
        Settings s = tank(glm::uvec3(16), kH);
        s.flow.gravity = static_cast<float>(kDown) * down;
        s.initial.push_back(water(glm::max(0.5f * down, 0.0f), 1.0f + glm::min(0.5f * down, 0.0f)));
        Simulation simulation(device(), s);
        double fastest = 0.0;
        for (int n = 0; n < 4; ++n) {
            simulation.step(10);
            fastest = std::max(fastest, simulation.measure().maxSpeed);
        }
        EXPECT_LE(fastest, 1e-3 * std::sqrt(kDown * 0.5)) << down.x << down.y << down.z;
    }
}

// A column at one wall falls across the box to the other wall. Its centre of mass ends half of its depth from that wall. The tolerance is
// half a cell, the precision of the surface.
TEST_F(LiquidOdd, WaterFallsAlongGravity) {
    Settings s = tank({16, 8, 8}, kH);
    s.flow.gravity = {static_cast<float>(kDown), 0.0f, 0.0f};
    s.liquid.reseed = false;
    s.initial.push_back(water(glm::vec3(0.0f), {0.25f, 0.5f, 0.5f}));
    Simulation simulation(device(), s);
    simulation.step(480);
    expectValid(simulation, 8.0 * 4 * 8 * 8);
    const std::vector<dvec3> positions = placesOf(simulation);
    const dvec3 middle = std::accumulate(positions.begin(), positions.end(), dvec3(0.0)) / static_cast<double>(positions.size());
    EXPECT_NEAR(middle.x, 14.0, 0.5);
    EXPECT_NEAR(middle.y, 4.0, 0.5);
    EXPECT_NEAR(middle.z, 4.0, 0.5);
}

// Only a few layers of cells are extrapolated, and a step has at most 16 substeps, here of three cells each.
TEST_F(LiquidOdd, NothingIsLostInStepsThroughFiftyCells) {
    for (const LiquidTransfer transfer : {LiquidTransfer::PicFlip, LiquidTransfer::Apic}) {
        Settings s = tank({24, 16, 16}, kH);
        s.timeStep = 1.0f / 30;
        s.liquid.transfer = transfer;
        s.liquid.reseed = false;
        s.obstacles.push_back({.shape = {.centre = {0.9f, 0.5f, 0.5f}, .radius = 0.25f}});
        s.initial.push_back(water(glm::vec3(0.125f), {0.5f, 0.5f, 0.875f}));
        s.initial[0].velocity = 50.0f * kH / s.timeStep * glm::normalize(glm::vec3(0.8f, 0.5f, 0.3f));
        Simulation simulation(device(), s);
        const Quality first = simulation.measure();
        ASSERT_NEAR(first.maxSpeed * static_cast<double>(s.timeStep / kH), 50.0, 0.01);
        for (int n = 0; n < 8; ++n) {
            simulation.step();
            expectValid(simulation, first.liquid->particles);
            const double h = static_cast<double>(kH);
            EXPECT_LE(simulation.measure().liquid->energy, first.liquid->energy) << n;
            for (const dvec3& p : placesOf(simulation))
                ASSERT_TRUE(glm::all(glm::greaterThan(p, dvec3(0.0))) && glm::all(glm::lessThan(p * h, dvec3(s.grid.size)))) << n;
        }
        EXPECT_EQ(simulation.measure().liquid->left, 0.0);
    }
}

// As if this step had made the particle invalid: after the motion, before the transfer to the grid.
TEST_F(LiquidOdd, OnlyTheInvalidParticleIsDeleted) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinite = std::numeric_limits<float>::infinity();
    for (const LiquidTransfer transfer : {LiquidTransfer::PicFlip, LiquidTransfer::Apic}) {
        for (const float bad : {kNan, -kNan, kInfinite}) {
            for (const bool velocity : {false, true}) {
                Settings s = tank({16, 8, 8}, kH);
                s.liquid.transfer = transfer;
                s.liquid.reseed = false;
                s.initial.push_back(water(glm::vec3(0.0f), {0.25f, 0.375f, 0.5f}));
                Simulation simulation(device(), s);
                simulation.step(5);
                std::vector<dvec3> positions = placesOf(simulation), velocities = velocitiesOf(simulation);
                constexpr std::size_t kBad = 777;
                Fields& f = simulation.simulator.fields();
                const engine::Buffer& spoilt = velocity ? f.liquid->velocities[0] : f.liquid->positions[0];
                std::vector<float> numbers = download(spoilt);
                numbers[4 * kBad + 1] = bad;
                upload(spoilt, numbers);
                simulation.recorder.begin();
                recordLiquidSources(simulation.recorder, f.domain, f.flow, *f.liquid, s, {}, 5, 0.0);
                simulation.recorder.submit();
                simulation.recorder.finish();
                positions.erase(positions.begin() + kBad);
                velocities.erase(velocities.begin() + kBad);
                EXPECT_EQ(placesOf(simulation), positions);
                EXPECT_EQ(velocitiesOf(simulation), velocities);
                EXPECT_EQ(simulation.measure().notFinite, "particles") << "the run must report this";
                simulation.step(5);
                const Quality q = simulation.measure();
                EXPECT_EQ(q.liquid->lost, 1.0);
                EXPECT_EQ(q.liquid->particles, static_cast<double>(positions.size()));
                EXPECT_TRUE(std::isfinite(q.liquid->energy) && std::isfinite(q.residual) && q.maxSpeed < 10.0);
            }
        }
    }
}

// With spawned and removed particles, no particle is lost or inside the ball, and the volume fits the number of particles.
TEST_F(LiquidOdd, ReseededVolumeMatchesItsParticles) {
    Settings s = damWithABall({24, 16, 8}, kH);
    s.timeStep = 1.0f / 60;
    Simulation simulation(device(), s);
    const double first = simulation.measure().liquid->particles, ofParticle = std::pow(static_cast<double>(kH), 3.0) / 8.0;
    for (int n = 0; n < 10; ++n) {
        simulation.step(30);
        const LiquidQuality l = *simulation.measure().liquid;
        expectValid(simulation, l.particles);
        EXPECT_GE(l.particles + l.surplus, first) << "removed particles must be counted in the surplus";
        EXPECT_LE(l.particles, first + 50.0) << "may exceed the first count only by the few particles spawned in one step";
        EXPECT_EQ(l.left, 0.0);
        if (n < 5) continue;  // spray until 3 s
        EXPECT_NEAR(l.volume / (l.particles * ofParticle), 1.0, kSurface) << "after " << (n + 1) / 2.0 << " s";
    }
    EXPECT_GT(simulation.measure().liquid->surplus, 0.0) << "reseeding must have removed particles";
}

// Reseeding improves the image and sums over particles. It must not change the volume.
TEST_F(LiquidOdd, ReseedingKeepsTheVolume) {
    Settings s = damWithABall({32, 16, 12}, kH);
    s.timeStep = 1.0f / 60;
    Simulation simulation(device(), s);
    const double first = simulation.measure().liquid->volume;
    simulation.step(180);
    for (int n = 0; n < 4; ++n) {
        simulation.step(30);
        EXPECT_NEAR(simulation.measure().liquid->volume / first, 1.0, kSurface) << "after " << 3.5 + 0.5 * n << " s";
    }
}

// Without a surface no cell fixes the value of q, and the equation has a solution only if its right-hand side adds up to 0. So density
// errors remain. The remaining velocity has the divergence of the residual r = b - A q. The smallest eigenvalue of A other than 0 is 4
// sin^2(pi / (2 n)). So the 2-norm of the velocity over all faces is at most |r| / (2 sin(pi / (2 n)) h), and |b| = h g dt sqrt(2 n^2),
// because only cells at the floor and the ceiling have a right-hand side. |q| is at most g dt H / 2. Each sweep adds at most half a unit of
// rounding to the mean of q.
TEST_F(LiquidOdd, AFullBoxStaysStill) {
    constexpr int kCells = 16, kSteps = 60, kSweeps = 4 * 8;  // cycles with up to four sweeps down and up
    for (const float jitter : {0.0f, 0.2f}) {
        Settings s = tank(glm::uvec3(kCells), kH);
        s.liquid.jitter = jitter;
        s.initial.push_back(water(glm::vec3(0.0f), glm::vec3(1.0f)));
        Simulation simulation(device(), s);
        const double dt = static_cast<double>(s.timeStep), greatest = 0.5 * kDown * dt;
        const double norm = kDown * dt * std::sqrt(2.0) * kCells / (2.0 * std::sin(std::numbers::pi / (2 * kCells)));
        for (int n = 0; n < kSteps; n += 15) {
            simulation.step(15);
            expectValid(simulation, 8.0 * kCells * kCells * kCells);
            const Quality q = simulation.measure();
            EXPECT_LE(q.residual, 1e-4) << "the bound below needs a small residual";
            EXPECT_LE(q.maxSpeed, q.residual * norm);
            const std::vector<float> pressure = download(simulation.simulator.fields().pressure.pressure[0]);
            const double mean = std::accumulate(pressure.begin(), pressure.end(), 0.0) / static_cast<double>(pressure.size());
            EXPECT_LE(std::abs(mean), kSteps * kSweeps * kHalfUnit * greatest);
            for (const float p : pressure) ASSERT_LE(std::abs(static_cast<double>(p)), 1.001 * greatest);
        }
    }
}

}  // namespace
}  // namespace wisp::test
