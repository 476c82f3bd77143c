// SPDX-License-Identifier: MIT
// The ambient flow outside the box.
#include "compute/scene/ambient_flow.h"
#include "tests/reference/tracers.h"

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace wisp::test {
namespace {

using reference::dvec3;
using reference::ivec3;

constexpr double kEps = 5.96e-8;  // half a unit in the last place of 1

Settings windy() {
    Settings s;
    s.grid.cells = {32, 16, 16};
    s.grid.size = {2.0f, 1.0f, 1.0f};
    s.flow.inflow = {3.0f, -0.5f, 0.75f};
    s.flow.gust = 1.5f;
    s.flow.gustScale = 0.3f;
    s.seed = 5;
    return s;
}

dvec3 airAt(const Settings& s, double time, dvec3 x) {
    return reference::ambientFlow(ambientFlow(s, time), (x - dvec3(s.grid.origin)) / double(s.grid.cellSize()));
}

// Rounding error of a gust, where p is at most 64 cells. The position of the corner in its lattice cell is a float below 1. The ratio of
// the cell sizes of grid and lattice has two roundings.
double error(const Settings& s) {
    const double cells = 64.0 * double(s.grid.cellSize() / s.flow.gustScale);
    return double(s.flow.gust) * 3.0 * reference::kNoiseSlope * (1.0 + 2.0 * cells) * kEps;
}

std::vector<dvec3> positions() {
    std::vector<dvec3> result;
    reference::forEach(ivec3(5), [&](ivec3 c) { result.push_back(dvec3(0.37, 0.21, 0.29) * dvec3(c)); });
    return result;
}

// The ambient flow at a world position does not depend on the corner of the box. Corners are multiples of 1/16 m, which are exact in
// floats.
TEST(AmbientFlow, DependsOnTheWorldPosition) {
    const Settings s = windy();
    for (const double time : {0.0, 0.7, 1234.5, 86400.0}) {
        for (const glm::vec3 corner : {glm::vec3(-0.5f), {0.25f, -1.0f, 0.0625f}, {-1.75f, 0.5f, 0.9375f}}) {
            Settings there = s;
            there.grid.origin = corner;
            for (const dvec3& x : positions())
                EXPECT_LE(glm::distance(airAt(s, time, x), airAt(there, time, x)), 2.0 * std::sqrt(3.0) * error(s)) << time;
        }
    }
}

// The wind moves gusts unchanged.
TEST(AmbientFlow, MovesWithTheWind) {
    const Settings s = windy();
    for (const double dt : {1.0 / 60, 0.5}) {
        for (const dvec3& x : positions()) {
            const dvec3 later = airAt(s, 10.0 + dt, x + dt * dvec3(s.flow.inflow));
            EXPECT_LE(glm::distance(airAt(s, 10.0, x), later), 2.0 * std::sqrt(3.0) * error(s)) << dt;
        }
    }
    double change = 0.0;  // at a fixed position, gusts do change
    for (const dvec3& x : positions()) change = std::max(change, glm::distance(airAt(s, 10.0, x), airAt(s, 10.1, x)));
    EXPECT_GT(change, 0.5 * double(s.flow.gust));
}

// A thousand kilometres away and after a month, the flow must still be smooth: it hardly changes over a hundredth of an eddy.
TEST(AmbientFlow, IsSmoothFarAway) {
    Settings s = windy();
    s.flow.inflow = {30.0f, 0.0f, -30.0f};
    for (const glm::vec3 corner : {glm::vec3(1e6f, -1e6f, 1e6f), glm::vec3(-1e6f, 0.0f, 3.0f)}) {
        s.grid.origin = corner;
        for (const double time : {0.0, 2.6e6}) {
            const double way = 0.01 * double(s.flow.gustScale);
            double least = 1e30;
            for (const dvec3& x : positions()) {
                const dvec3 here = airAt(s, time, dvec3(corner) + x), there = airAt(s, time, dvec3(corner) + x + dvec3(way, 0.0, 0.0));
                for (int a = 0; a < 3; ++a)
                    ASSERT_LE(std::abs(here[a] - there[a]), 0.01 * double(s.flow.gust) * reference::kNoiseSlope + 2.0 * error(s));
                least = std::min(least, glm::distance(here, there));
            }
            EXPECT_LT(least, 0.01 * double(s.flow.gust) * reference::kNoiseSlope);
            double squares = 0.0;  // the flow must still have gusts
            for (const dvec3& x : positions())
                squares += glm::dot(airAt(s, time, dvec3(corner) + 3.0 * x) - dvec3(s.flow.inflow),
                                    airAt(s, time, dvec3(corner) + 3.0 * x) - dvec3(s.flow.inflow));
            EXPECT_GT(squares / 125.0, 0.5 * 3.0 * double(s.flow.gust) * double(s.flow.gust));
        }
    }
}

// Statistics of a component over 20^3 eddies. Each eddy is one independent sample. So mean and mean square have an error of at most 4 /
// sqrt(8000), relative to the rms.
TEST(AmbientFlow, HasTheGivenRms) {
    const Settings s = windy();
    const gpu::AmbientFlow air = ambientFlow(s, 3.0);
    const double edge = 1.0 / double(air.perCell);
    dvec3 mean(0.0), squares(0.0);
    constexpr int kPositions = 60;
    reference::forEach(ivec3(kPositions), [&](ivec3 c) {
        const dvec3 gust = reference::ambientFlow(air, dvec3(c) * edge / 3.0) - dvec3(s.flow.inflow);
        mean += gust / std::pow(kPositions, 3.0);
        squares += gust * gust / std::pow(kPositions, 3.0);
    });
    for (int a = 0; a < 3; ++a) {
        EXPECT_NEAR(mean[a], 0.0, 4.0 / std::sqrt(8000.0) * double(s.flow.gust)) << a;
        EXPECT_NEAR(std::sqrt(squares[a]), double(s.flow.gust), 4.0 / std::sqrt(8000.0) * double(s.flow.gust)) << a;
    }
}

TEST(AmbientFlow, HasNoWindAcrossAFlatGrid) {
    Settings s = windy();
    s.grid.cells = {32, 16, 1};
    s.grid.size = {2.0f, 1.0f, 0.0625f};
    EXPECT_EQ(ambientFlow(s, 1.0).wind, glm::vec3(3.0f, -0.5f, 0.0f));
}

}  // namespace
}  // namespace wisp::test
