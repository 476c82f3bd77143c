// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"
#include "engine/resources.h"
#include "shaders/shared/pressure_level.h"

#include <vector>

namespace wisp {

/// The levels below the pressure grid, each with half the cells along every axis down to a single one. Their cells and
/// weights lie behind each other in one buffer a kind.
struct Pyramid {
    Pyramid() = default;
    Pyramid(engine::Device& device, const gpu::PressureLevel& finest, bool periodic);

    /// Whether passes on tiles take a level: whole sweeps there cost less than waiting for a dispatch after each half, but more work.
    [[nodiscard]] bool inTiles(const gpu::PressureLevel& level) const { return gpu::cellCount(level) <= tiledCells; }

    int tiledCells = 0;                      ///< of the largest level in tiles; none with periodic axes, or where a CPU does that work
    std::vector<gpu::PressureLevel> levels;  ///< [0] is the pressure grid, which has its own buffers; the others are in those below
    std::size_t bottom = 0;                  ///< the first of the levels that one work group does alone; 0 only for a single cell
    engine::Buffer weights, regular, rhs, pressure;
    engine::Buffer other;  ///< a second one of pressures, for passes that cannot work in place
};

}  // namespace wisp
