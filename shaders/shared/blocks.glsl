// SPDX-License-Identifier: MIT
// Blocks of 2x2x2 cells of one level.
#include "shared/grid.glsl"
#include "shared/level.h"
#include "shared/rounding.glsl"

#ifdef WISP_ADDRESSES
#include "shared/vectors.glsl"
#else
#define WISP_ADDRESSES
#endif
layout(push_constant, scalar) uniform Push { WISP_ADDRESSES Level pushed; };
Level level = pushed;  // copied for the same reason as `sim`, see grid.glsl

ivec3 blocks() { return (level.cells + 1) / 2; }
// Index of the low faces of a block in a buffer. There is one more than blocks along each axis.
int faceIndex(ivec3 C) { return (C.z * (blocks().y + 1) + C.y) * (blocks().x + 1) + C.x; }
// Index of a correction: all faces of one axis, then all faces of the next. `size`: number of coarse faces along each axis.
int correctionIndex(ivec3 C, int axis, ivec3 size) { return ((axis * size.z + C.z) * size.y + C.y) * size.x + C.x; }
bool isClearBlock(uint openFaces) { return (openFaces & 8u) != 0u; }
ivec3 corner(int n) { return ivec3(n & 1, (n >> 1) & 1, n >> 2); }
ivec3 cellOfBlock(ivec3 C, int n) { return 2 * C + inLayer(corner(n)); }
ivec3 blockBeside(ivec3 C, ivec3 offset) { return wrapped(C + inLayer(offset), blocks()); }
vec4 stored(vec4 u) { return level.fineCells == 1 ? toStorage(u) : u; }  // only the finest grid may be stored in half precision
// Finer face n of the low face of block C. The last face lies on the high side of the grid even where its block is truncated.
ivec3 fineFace(ivec3 C, int axis, int n) {
    ivec3 first = 2 * C;
    first[axis] = min(first[axis], level.cells[axis]);
    return first + inLayer((n & 1) * unit((axis + 1) % 3) + (n >> 1) * unit((axis + 2) % 3));
}
bool faceOf(ivec3 c, int axis) { return !outside(c, level.cells + unit(axis)); }
