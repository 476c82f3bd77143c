// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/screen.h"
#include "tests/reference/grid.h"

#include <span>

namespace wisp::reference {

/// Colour of the simulation image at a window pixel, 0 to 1 (docs/passes.md, screen).
dvec3 screen(const gpu::ScreenPush& push, std::span<const std::uint32_t> picture, glm::ivec2 pixel);

struct Drawn {
    dvec3 colour{0.0};       ///< 0 to 1
    double clearance = 1e9;  ///< distance to the nearest edge of any triangle listed for the pixel [pixels]
};

/// Colour of a window pixel with the panels drawn over it (docs/passes.md, panels). `words`: all pixels of the window. `atlas`: rgba, 0 to
/// 1.
Drawn panels(const gpu::PanelsPush& push, std::span<const gpu::ScreenTriangle> triangles, std::span<const gpu::ScreenTile> tiles,
             std::span<const std::uint32_t> entries, const Field& atlas, std::span<const std::uint32_t> words, glm::ivec2 pixel);

}  // namespace wisp::reference
