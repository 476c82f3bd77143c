// SPDX-License-Identifier: MIT
// Bricks that smoke can reach, see smoke_reach.comp. Needs shared/grid.glsl.
#include "shared/smoke_brick.glsl"
layout(binding = 14, scalar) readonly buffer Reached { uint reached[]; };

bool isReached(ivec3 c) {  // scalar cell, in the grid
    return reached[smokeBrickIndex(c / WISP_SMOKE_BRICK)] != 0u;
}

// Of a pass that stores a field anew, see each_cell.glsl: scalar cells that smoke cannot reach hold nothing.
#define WISP_LAYERS sim.scalarCells.z
#define SKIPS_UNREACHED(field)                                \
    bool skips(ivec3 c) {                                     \
        if (outside(c, sim.scalarCells)) return true;         \
        if (isReached(c)) return false;                       \
        imageStore(field, scalarTexel(c), vec4(0.0));         \
        return true;                                          \
    }
