// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/brick_edges.h"
#include "tests/reference/light.h"
#include "tests/reference/sparse.h"

/// Edges of active bricks in a picture.
namespace wisp::reference {

/// Cover of a pixel by lines, 0 to 1. `sure`: by lines that are visible in spite of rounding. `perhaps`: also by lines that an obstacle may
/// hide because of rounding.
struct LineCover {
    double sure = 0.0, perhaps = 0.0;
};

/// Pass `draw_bricks`. Obstacles that are grown or shrunk by `margin` [m] may hide a line.
Grid<LineCover> drawBricks(const Step& s, const View& v, const BrickStates& states, const gpu::BrickLines& push, double margin);

/// Pass `blend_bricks`. `cover`: 0 to 1.
Field blendBricks(const Field& radiance, const Numbers& cover, const gpu::BrickBlend& push);

}  // namespace wisp::reference
