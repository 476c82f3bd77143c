// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/screen.h"

#include <glm/vec2.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace wisp::app {

/// Which triangles each tile of a window has to look at, in their order.
struct ScreenTiles {
    std::vector<std::uint32_t> first;         ///< by tile, rows from the top: of its entries; one more for the end
    std::vector<gpu::ScreenEntry> entries;
};

/// A triangle goes to the tiles that its bounding box meets, cut by its range's rectangle.
ScreenTiles sortIntoTiles(std::span<const gpu::ScreenVertex> vertices, std::span<const std::uint16_t> indices,
                          std::span<const gpu::ScreenRange> ranges, glm::uvec2 pixels);

}  // namespace wisp::app
