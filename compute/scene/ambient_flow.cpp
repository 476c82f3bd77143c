// SPDX-License-Identifier: MIT
#include "compute/scene/ambient_flow.h"

#include <glm/common.hpp>

namespace wisp {

gpu::AmbientFlow ambientFlow(const Settings& s, double time) {
    const glm::vec3 wind = s.flow.inflow * glm::vec3(1.0f, 1.0f, s.grid.isFlat() ? 0.0f : 1.0f);
    // Whole lattice cells are removed in double precision, so that gusts stay smooth far from the origin and after a day.
    // Beyond 1e9 a float has no fraction.
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
