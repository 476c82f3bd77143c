// SPDX-License-Identifier: MIT
#include "app/base/scene_cells.h"

#include "app/base/scene_values.h"

namespace wisp::app {

SceneCells::SceneCells(const Scene& scene) : velocity(valueOf<Cells>(scene, "grid.cells")) {
    const auto pressureRatio = valueOf<std::uint32_t>(scene, "grid.pressure_ratio");
    const auto scalarRatio = valueOf<std::uint32_t>(scene, "grid.scalar_ratio");
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool isFlat = velocity[axis] == 1 && axis == 2;  // one layer, of any field
        pressure[axis] = (velocity[axis] + pressureRatio - 1) / pressureRatio;
        scalars[axis] = velocity[axis] * (isFlat ? 1 : scalarRatio);
    }
}

}  // namespace wisp::app
