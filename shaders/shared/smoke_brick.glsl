// SPDX-License-Identifier: MIT
// Needs shared/grid.glsl.
#include "shared/bricks.h"
ivec3 smokeBricks() { return (sim.scalarCells + WISP_SMOKE_BRICK - 1) / WISP_SMOKE_BRICK; }  // number along each axis
// Index of brick of smoke b.
uint smokeBrickIndex(ivec3 b) {
    if (!kSparse) return cellIndex(b, smokeBricks());
    const int edge = WISP_BRICK_EDGE * kScalarRatio / WISP_SMOKE_BRICK;
    return slotsOf(b / edge).smoke * uint(edge * edge * edge) + cellIndex(b & (edge - 1), ivec3(edge));
}
