// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"
#include "engine/resources.h"
#include "shaders/shared/pressure_level.h"

#include <vector>

namespace wisp {

/// The multigrid levels coarser than the pressure grid. Each has half as many cells along every axis, down to a single cell. All levels
/// share one buffer for each kind of data.
struct Pyramid {
    Pyramid() = default;
    Pyramid(engine::Device& device, const gpu::PressureLevel& finest, bool periodic);

    /// Whether tiled passes sweep a level. They do more work, but save the wait for a dispatch after each half sweep.
    [[nodiscard]] bool inTiles(const gpu::PressureLevel& level) const { return gpu::cellCount(level) <= tiledCells; }

    int tiledCells = 0;                      ///< cells of the largest tiled level; 0 with periodic axes, and on CPU devices
    std::vector<gpu::PressureLevel> levels;  ///< [0] is the pressure grid, which has its own buffers; the others use the buffers below
    std::size_t bottom = 0;                  ///< the first of the levels that one work group solves alone; 0 only for a single cell
    engine::Buffer weights, regular, rhs, pressure;
    engine::Buffer other;  ///< a second pressure buffer, for passes that do not work in place
};

}  // namespace wisp
