// SPDX-License-Identifier: MIT
#include "compute/scene/outside_air.h"

#include <glm/common.hpp>

namespace wisp {

gpu::OutsideAir outsideAir(const Settings& s, double time) {
    const glm::vec3 wind = s.flow.inflow * glm::vec3(1.0f, 1.0f, s.grid.isFlat() ? 0.0f : 1.0f);
    // Whole edges in double: far away and after a day gusts are as smooth as at first. No float has a fraction beyond 1e9.
    const glm::dvec3 corner = (glm::dvec3(s.grid.origin) - time * glm::dvec3(wind)) / static_cast<double>(s.flow.gustScale);
    const glm::dvec3 lattice = glm::clamp(glm::floor(corner), -1e9, 1e9);
    return {.wind = wind,
            .gust = s.flow.gust,
            .lattice = glm::ivec3(lattice),
            .beyond = glm::vec3(corner - lattice),
            .perCell = s.grid.cellSize() / s.flow.gustScale,
            .seed = static_cast<int>(s.seed)};
}

}  // namespace wisp
