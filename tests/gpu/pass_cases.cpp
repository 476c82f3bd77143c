// SPDX-License-Identifier: MIT
// The grids on which every pass is tested.
#include "tests/gpu/pass_test.h"

#include "compute/scene/shape_data.h"
#include "tests/support/source_folder.h"

#include <glm/gtc/quaternion.hpp>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <tuple>

namespace wisp::test {
namespace {

glm::vec4 rotation(float angle, glm::vec3 axis) {
    const glm::quat q = glm::angleAxis(angle, glm::normalize(axis));
    return {q.x, q.y, q.z, q.w};
}

}  // namespace

std::string nameOf(const testing::TestParamInfo<PassCase>& info) {
    const PassCase& c = info.param;
    return std::to_string(c.cells.x) + "x" + std::to_string(c.cells.y) + "x" + std::to_string(c.cells.z) + "_ratio" +
           std::to_string(c.ratio) + "_scalars" + std::to_string(c.scalarRatio) + (c.precision == Precision::Half ? "_half" : "_float") +
           (c.periodic != 0 ? "_periodic" + std::to_string(c.periodic) : "") + (c.expands ? "_expands" : "");
}

std::vector<PassCase> passCases() {
    constexpr bool kExpands = true;
    return {{{12, 9, 7}, 2, 1, Precision::Float},
            {{12, 9, 7}, 2, 1, Precision::Half, true, 0, kExpands},
            {{17, 9, 11}, 4, 2, Precision::Float, true, 0, kExpands},
            {{9, 17, 5}, 4, 1, Precision::Half},
            {{1, 9, 17}, 1, 2, Precision::Half},
            {{31, 1, 9}, 2, 1, Precision::Float},
            {{8, 8, 8}, 4, 1, Precision::Float},
            {{1, 1, 1}, 1, 1, Precision::Float},
            {{9, 10, 11}, 1, 1, Precision::Float, true, 0, kExpands},
            {{12, 10, 7}, 2, 1, Precision::Float, true, 3},
            {{10, 12, 6}, 2, 2, Precision::Half, true, 7, kExpands},
            {{12, 20, 16}, 4, 1, Precision::Half, true, 6, kExpands},
            {{9, 7, 6}, 1, 1, Precision::Float, true, 5, kExpands},
            {{4, 1, 6}, 1, 2, Precision::Float, false, 7},
            {{17, 9, 1}, 1, 4, Precision::Half, true, 0, kExpands},
            {{12, 17, 1}, 2, 1, Precision::Float},
            {{10, 8, 1}, 1, 2, Precision::Float, true, 3},
            {{2, 2, 2}, 2, 1, Precision::Float, false, 7, kExpands},
            {{25, 18, 1}, 4, 1, Precision::Float, true, 0, kExpands},
            {{12, 16, 1}, 2, 1, Precision::Half, true, 3, kExpands}};
}

namespace {

using Pair = std::tuple<std::size_t, int, std::size_t, int>;  // a property and its value, twice

/// Adds every pair of values of different properties of a case.
void addPairs(const PassCase& c, std::set<Pair>& pairs) {
    const std::array<int, 6> values{
        c.ratio, c.scalarRatio, static_cast<int>(c.precision), c.periodic != 0 ? 1 : 0, c.cells.z == 1 ? 1 : 0, c.expands ? 1 : 0};
    for (std::size_t a = 0; a < values.size(); ++a)
        for (std::size_t b = a + 1; b < values.size(); ++b) pairs.insert({a, values[a], b, values[b]});
}

}  // namespace

TEST(PassCases, TheMiddleTierCoversEveryPair) {
    const toml::table tiers = toml::parse_file(sourceFolder() + "/tests/tiers.toml");
    std::set<std::string> leftOut;
    for (const toml::node& pattern : *tiers["gpu"].as_array()) leftOut.insert(pattern.value_or(std::string()));
    std::set<Pair> all, covered;
    std::size_t kept = 0;
    const std::vector<PassCase> cases = passCases();
    for (std::size_t n = 0; n < cases.size(); ++n) {
        addPairs(cases[n], all);
        if (leftOut.contains("*/" + nameOf({cases[n], n}))) continue;
        addPairs(cases[n], covered);
        ++kept;
    }
    EXPECT_EQ(covered, all);
    EXPECT_LT(kept, cases.size() / 2) << "the patterns of tests/tiers.toml are no names of grids";
}

Step makeStep(const PassCase& c) {
    Step s{};
    s.cells = c.cells;
    s.ratio = c.ratio;
    s.pressureCells = (c.cells + c.ratio - 1) / c.ratio;
    s.scalarRatio = c.scalarRatio;
    s.scalarCells = c.cells * scalarsPerCell(s);
    s.h = 0.05f;
    s.dt = 0.075f;
    s.origin = {-0.3f, 0.2f, 0.1f};
    s.sidesLow = {WISP_INFLOW, WISP_WALL, WISP_OPEN};
    s.sidesHigh = {WISP_OPEN, WISP_OPEN, WISP_WALL};
    s.inflow = {0.7f, 0.1f, -0.2f};
    for (int axis = 0; axis < 3; ++axis) {
        if ((c.periodic >> axis & 1) != 0) s.sidesLow[axis] = s.sidesHigh[axis] = WISP_PERIODIC;
    }
    if (isFlat(s)) {
        s.sidesLow.z = s.sidesHigh.z = WISP_WALL;
        s.inflow.z = 0.0f;
    }
    if (!c.obstacles) return s;  // solidsLow and solidsHigh are read only with obstacles
    const glm::vec3 box = s.h * glm::vec3(c.cells);
    const float size = std::max(box.x, std::max(box.y, box.z));
    s.obstacleCount = 3;
    s.obstacles[0] = {
        {s.origin + box * glm::vec3(0.33f, 0.42f, 0.51f), WISP_SPHERE, {}, 0.2f * size, {0, 0, 0, 1}}, {0.5f, -0.3f, 0.2f}, {1, 2, 3}};
    s.obstacles[1] = {
        {s.origin + box * glm::vec3(0.77f, 0.29f, 0.43f), WISP_BOX, size * glm::vec3(0.12f, 0.17f, 0.09f), 0.0f, rotation(0.7f, {1, 2, 3})},
        {-0.4f, 0.6f, 0.1f},
        {-2, 1, 0.5f}};
    s.obstacles[2] = {{s.origin + box * glm::vec3(0.52f, 0.86f, 0.68f), WISP_CAPSULE, size * glm::vec3(0.1f, 0.05f, 0.12f), 0.06f * size,
                       rotation(-1.1f, {3, 1, 2})},
                      {0.1f, 0.2f, -0.9f},
                      {0.3f, -0.7f, 1}};
    const CellBox solids = cellsOfObstacles(s);
    s.solidsLow = solids.first;
    s.solidsHigh = solids.first + ivec3(solids.size);
    return s;
}

}  // namespace wisp::test
