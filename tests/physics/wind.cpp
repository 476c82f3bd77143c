// SPDX-License-Identifier: MIT
// Wind queries of the CPU to a simulation.
#include "compute/sim/wind.h"

#include "tests/physics/simulation.h"
#include "tests/reference/wind.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <random>

namespace wisp::test {
namespace {

constexpr float kH = 1.0f / 16;
// Error of the filter weights (see kFilter of tests/gpu/pass_test.h) for velocities within 2 m/s, and of positions, which are exact to 5e-6
// of a cell.
constexpr double kTolerance = 3.0 / 256.0 * 2.0 + 3.0 * 2.0 * 5e-6;

/// A vortex in a wind.
Settings windyBox(glm::uvec3 cells, Precision precision) {
    Settings s = stillBox(cells, kH);
    s.grid.sides = {};
    s.grid.precision = precision;
    s.timeStep = 1.0f / 64;
    s.flow.inflow = {1.0f, 0.0f, 0.25f};
    s.initial.push_back({.shape = {ShapeKind::Box, {0.75f, 0.5f, 0.6f}, 0.0f, glm::vec3(4.0f)}, .velocity = s.flow.inflow});
    s.initial.push_back({.shape = {.centre = {0.7f, 0.5f, 0.6f}, .radius = 0.25f}, .density = 0.3f, .velocity = {0.3f, 0.9f, -0.4f}});
    return s;
}

class Wind : public PhysicsTest {
protected:
    // Random points in the box and one cell around it.
    std::vector<glm::vec3> randomPositions(const FluidSimulator& simulator, std::size_t count) {
        const GridSettings& grid = simulator.settings().grid;
        std::uniform_real_distribution<float> uniform(0.0f, 1.0f);
        std::vector<glm::vec3> points(count);
        for (glm::vec3& x : points) {
            const glm::vec3 share(uniform(generator_), uniform(generator_), uniform(generator_));
            x = grid.origin - kH + share * (grid.size + 2.0f * kH);
        }
        return points;
    }

    void expectReference(Simulation& s, const std::vector<glm::vec3>& points, std::span<const glm::vec3> winds) {
        ASSERT_EQ(winds.size(), points.size());
        const Field field = fieldOf(windFaces(s.simulator));
        const gpu::WispWind wind = windOf(s.simulator);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const dvec3 reference = windAt(field, wind, dvec3(points[i]));
            for (int axis = 0; axis < 3; ++axis) ASSERT_NEAR(double(winds[i][axis]), reference[axis], kTolerance) << i << ", axis " << axis;
        }
    }

    std::mt19937 generator_{11};
};

// Also where the box has followed its target. The wind is the velocity after the step, which advected the smoke.
TEST_F(Wind, OfASimulationThatFollows) {
    for (const Precision precision : {Precision::Half, Precision::Float}) {
        Simulation s(device(), windyBox({24, 16, 20}, precision));
        WindSampler sampler(device(), 500);
        for (const glm::vec3& target : {glm::vec3(0.75f, 0.5f, 0.625f), {2.0f, 0.5f, 0.0f}, {-400.0f, 90.0f, 7.0f}}) {
            s.simulator.follow(target);
            s.step(2);
            const gpu::WispWind wind = windOf(s.simulator);
            const glm::vec3 low(wind.origin), high = low + wind.h * glm::vec3(wind.cells);
            EXPECT_TRUE(glm::all(glm::lessThan(low, target)) && glm::all(glm::lessThan(target, high)));
            EXPECT_EQ(low, kH * glm::vec3(s.simulator.state().followed));
            EXPECT_EQ(wind.ambient, s.simulator.settings().flow.inflow);
            EXPECT_EQ(&windFaces(s.simulator), &s.simulator.fields().flow.divergenceFree());
            const std::vector<glm::vec3> points = randomPositions(s.simulator, 500);
            std::vector<glm::vec3> winds;
            s.recorder.begin();
            sampler.sample(s.recorder, s.simulator, points, [&](std::span<const glm::vec3> u) { winds.assign(u.begin(), u.end()); });
            s.recorder.submit();
            s.recorder.finish();
            expectReference(s, points, winds);
        }
    }
}

// A flat simulation is the same at every z, and a periodic one repeats outside its box. Bound resources have no NaN where they are read.
TEST_F(Wind, OfFlatAndPeriodicBoxes) {
    Settings flat = windyBox({24, 16, 1}, Precision::Half), round = windyBox({24, 16, 20}, Precision::Half);
    round.grid.sides = {Side::Periodic, Side::Periodic, Side::Open, Side::Open, Side::Periodic, Side::Periodic};
    for (const Settings& settings : {flat, round}) {
        Simulation s(device(), settings);
        for (int steps = 0; steps < 2; ++steps) {
            const std::vector<glm::vec3> points = randomPositions(s.simulator, 300);
            std::vector<glm::vec3> moved = points, winds, there;
            for (glm::vec3& x : moved) x.z += settings.grid.isFlat() ? 0.37f : -settings.grid.size.z;
            WindSampler sampler(device(), 300);
            s.recorder.begin();
            sampler.sample(s.recorder, s.simulator, points, [&](std::span<const glm::vec3> u) { winds.assign(u.begin(), u.end()); });
            sampler.sample(s.recorder, s.simulator, moved, [&](std::span<const glm::vec3> u) { there.assign(u.begin(), u.end()); });
            s.recorder.submit();
            s.recorder.finish();
            expectReference(s, points, winds);
            expectReference(s, moved, there);
            for (std::size_t i = 0; i < winds.size(); ++i) {
                for (int axis = 0; axis < 3; ++axis) ASSERT_NEAR(there[i][axis], winds[i][axis], kTolerance) << i << ", axis " << axis;
                ASSERT_TRUE(!settings.grid.isFlat() || winds[i].z == 0.0f);
            }
            s.step(1);
        }
    }
}

// Results arrive two frames later, each with its own points, in the order of the requests.
TEST_F(Wind, BatchesComeInOrderAndLate) {
    Simulation s(device(), windyBox({24, 16, 20}, Precision::Float));
    s.step();
    std::optional<WindSampler> sampler(std::in_place, device(), 200);
    const std::vector<std::vector<glm::vec3>> points{
        randomPositions(s.simulator, 200), {}, randomPositions(s.simulator, 1), randomPositions(s.simulator, 130)};
    std::vector<std::vector<glm::vec3>> winds;
    s.recorder.begin();
    for (const auto& batch : points)
        sampler->sample(s.recorder, s.simulator, batch, [&](std::span<const glm::vec3> u) { winds.emplace_back(u.begin(), u.end()); });
    EXPECT_TRUE(winds.empty());
    s.recorder.submit();
    sampler.reset();  // the GPU may not have started yet
    EXPECT_TRUE(winds.empty());
    s.recorder.begin();  // uses the slot of the other frame
    EXPECT_TRUE(winds.empty());
    s.recorder.submit();
    s.recorder.begin();
    s.recorder.submit();
    ASSERT_EQ(winds.size(), points.size());
    for (std::size_t n = 0; n < points.size(); ++n) expectReference(s, points[n], winds[n]);
    s.recorder.finish();
    EXPECT_EQ(winds.size(), points.size());
}

// A batch gets the wind at its position in the sequence of steps, although all steps are in one submission.
TEST_F(Wind, MatchesTheStepWhereItIsRequested) {
    Simulation s(device(), windyBox({24, 16, 20}, Precision::Float));
    WindSampler sampler(device(), 100);
    s.simulator.follow({0.75f, 0.5f, 0.625f});
    s.step();
    const std::vector<glm::vec3> points = randomPositions(s.simulator, 100);
    std::vector<glm::vec3> before, after, again;
    const auto into = [](std::vector<glm::vec3>& list) {
        return [&list](std::span<const glm::vec3> u) { list.assign(u.begin(), u.end()); };
    };
    s.recorder.begin();
    sampler.sample(s.recorder, s.simulator, points, into(before));
    s.simulator.step(s.recorder);
    sampler.sample(s.recorder, s.simulator, points, into(after));
    s.recorder.submit();
    s.recorder.finish();
    expectReference(s, points, after);
    s.recorder.begin();
    sampler.sample(s.recorder, s.simulator, points, into(again));
    s.recorder.submit();
    s.recorder.finish();
    EXPECT_EQ(after, again);
    EXPECT_NE(before, after);
}

TEST_F(Wind, RefusesTooManyPoints) {
    EXPECT_THROW(WindSampler(device(), 0), std::invalid_argument);
    EXPECT_THROW(WindSampler(device(), WindSampler::kMostPoints + 1), std::invalid_argument);
    EXPECT_NO_THROW(WindSampler(device(), WindSampler::kMostPoints));
    Simulation s(device(), windyBox({24, 16, 20}, Precision::Float));
    WindSampler sampler(device(), 4000);
    const std::vector<glm::vec3> points = randomPositions(s.simulator, 4001);
    std::size_t delivered = 0;
    const auto count = [&](std::span<const glm::vec3> u) { delivered += u.size(); };
    s.recorder.begin();
    EXPECT_THROW(sampler.sample(s.recorder, s.simulator, points, count), std::invalid_argument);
    sampler.sample(s.recorder, s.simulator, std::span(points).first(4000), count);
    // 96,000 bytes are more than the 65,536 bytes that frames can read back here.
    EXPECT_THROW(sampler.sample(s.recorder, s.simulator, std::span(points).first(4000), count), std::invalid_argument);
    sampler.sample(s.recorder, s.simulator, std::span(points).first(1000), count);
    s.recorder.submit();
    s.recorder.finish();
    EXPECT_EQ(delivered, 5000u);
}

}  // namespace
}  // namespace wisp::test
