// SPDX-License-Identifier: MIT
// Which bricks of a sparse simulation are active, for passes over the whole grid. Needs shared/grid.glsl.
#include "shared/brick_list.h"
layout(constant_id = 25) const bool kSparse = false;
layout(binding = 21, scalar) readonly buffer BrickStates { uint brickStates[]; };

// Whether the simulation stores the face texel or cell c of the grid with cells of `edge` fine cells.
bool isActiveCell(ivec3 c, int edge) {
    ivec3 b = c * edge / WISP_BRICK_EDGE, count = sim.cells / WISP_BRICK_EDGE + 1;
    return !outside(b, count) && (brickStates[cellIndex(b, count)] & WISP_IS_ACTIVE) != 0u;
}
