// SPDX-License-Identifier: MIT
// Bricks that smoke can reach, see smoke_reach.comp. Needs shared/grid.glsl.
#include "shared/smoke_brick.glsl"
layout(binding = 28, scalar) readonly buffer Reached { uint reached[]; };

bool isReached(ivec3 c) {  // scalar cell, in the grid
    return reached[smokeBrickIndex(c / WISP_SMOKE_BRICK)] != 0u;
}

#define WISP_LAYERS sim.scalarCells.z  // see each_cell.glsl
