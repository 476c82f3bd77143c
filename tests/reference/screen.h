// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/screen.h"
#include "tests/reference/grid.h"

#include <span>

namespace wisp::reference {

struct Shown {
    dvec3 colour{0.0};      ///< 0 to 1
    double clearance = 1e9; ///< distance to the nearest edge of a triangle that is shown there [pixels]
};

/// What a pixel of a window shows (docs/passes.md, screen). `atlas` holds rgba in 0 to 1.
Shown screen(const gpu::ScreenPush& push, std::span<const std::uint32_t> picture, std::span<const gpu::ScreenVertex> vertices,
             std::span<const std::uint16_t> indices, std::span<const gpu::ScreenRange> ranges, const Field& atlas, glm::ivec2 pixel);

}  // namespace wisp::reference
