// SPDX-License-Identifier: MIT
#pragma once

#include "tests/physics/simulation.h"

#include <vector>

/// Test scenes with liquid.
namespace wisp::test {

inline InitialSettings water(glm::vec3 low, glm::vec3 high) {
    return {.shape = {.kind = ShapeKind::Box, .centre = 0.5f * (low + high), .half = 0.5f * (high - low)}, .liquid = true};
}

/// A closed box. The solver tolerance is so small that the tests do not depend on it.
inline Settings tank(glm::uvec3 cells, float h) {
    Settings s = stillBox(cells, h);
    s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 4};
    return s;
}

/// A dam break: a column of water in one corner, with a ball in its path.
inline Settings damWithABall(glm::uvec3 cells, float h) {
    Settings s = tank(cells, h);
    const glm::vec3 size = s.grid.size;
    s.initial.push_back(water(glm::vec3(0.0f), {0.3f * size.x, 0.75f * size.y, size.z}));
    s.obstacles.push_back({.shape = {.centre = {0.6f * size.x, 0.4f * size.y, 0.5f * size.z}, .radius = 0.25f * size.y}});
    return s;
}

class LiquidTest : public PhysicsTest {
protected:
    /// xyz of each particle [fine cells].
    std::vector<dvec3> placesOf(Simulation& s) { return vectorsOf(s, s.simulator.fields().liquid->positions[0]); }
    std::vector<dvec3> velocitiesOf(Simulation& s) { return vectorsOf(s, s.simulator.fields().liquid->velocities[0]); }

private:
    std::vector<dvec3> vectorsOf(Simulation& s, const engine::Buffer& buffer) {
        const std::vector<float> numbers = download(buffer);
        const auto count = static_cast<std::size_t>(s.measure().liquid->particles);
        std::vector<dvec3> vectors;
        for (std::size_t n = 0; n < count; ++n) vectors.emplace_back(numbers[4 * n], numbers[4 * n + 1], numbers[4 * n + 2]);
        return vectors;
    }
};

}  // namespace wisp::test
