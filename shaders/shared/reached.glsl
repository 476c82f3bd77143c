// SPDX-License-Identifier: MIT
// Bricks that smoke can reach, see smoke_reach.comp. Needs shared/grid.glsl.
#include "shared/bricks.h"
layout(binding = 14, scalar) readonly buffer Reached { uint reached[]; };

bool isReached(ivec3 c) {  // scalar cell, in the grid
    ivec3 b = c / WISP_SMOKE_BRICK, count = (sim.scalarCells + WISP_SMOKE_BRICK - 1) / WISP_SMOKE_BRICK;
    return reached[(b.z * count.y + b.y) * count.x + b.x] != 0u;
}
