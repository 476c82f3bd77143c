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
// In a sparse simulation, grids finer than the pressure grid are stored in slots. Texel of a cell of the level, or of a block of it.
// With ratio 2 that is the fine grid, which the compiler knows.
bool cellsInSlots() { return kSparse && (kRatio == 2 || level.fineCells < kRatio); }
bool blocksInSlots() { return kSparse && kRatio > 2 && 2 * level.fineCells < kRatio; }
ivec3 levelTexel(ivec3 c) {
    return !cellsInSlots() ? c : kRatio == 2 || level.fineCells == 1 ? texelOf(c) : brickTexel(c, WISP_BRICK_EDGE / level.fineCells);
}
ivec3 blockTexel(ivec3 C) { return blocksInSlots() ? brickTexel(C, WISP_BRICK_EDGE / 2 / level.fineCells) : C; }
// Whether block C, or its cells, are stored.
bool isBlockStored(ivec3 C) { return !kSparse || slotsOf(C * 2 * level.fineCells / WISP_BRICK_EDGE).flow >= WISP_BLANK_SLOTS; }
// Apertures of the low faces and of the cell of texel c of the level. The bricks that are not stored share two, which know no sides.
vec4 apertureAt(sampler3D aperture, ivec3 c) {
    vec4 alpha = texelFetch(aperture, levelTexel(c), 0);
    if (!cellsInSlots()) return alpha;
    bvec3 atLow = equal(c, ivec3(0)), atHigh = greaterThanEqual(c, level.cells);
    bvec3 isClosed = bvec3(0);
    for (int axis = 0; axis < 3; ++axis)
        isClosed[axis] = (atLow[axis] && sim.sidesLow[axis] > WISP_OPEN) || (atHigh[axis] && sim.sidesHigh[axis] > WISP_OPEN);
    return vec4(mix(alpha.xyz, vec3(0.0), isClosed), alpha.w);
}
// Index of the low faces of a block in a buffer. There is one more than blocks along each axis.
int faceIndex(ivec3 C) {
    if (blocksInSlots()) return int(brickPlace(C, WISP_BRICK_EDGE / 2 / level.fineCells));
    return (C.z * (blocks().y + 1) + C.y) * (blocks().x + 1) + C.x;
}
// Index of a correction: all faces of one axis, then all faces of the next. `size`: number of coarse faces along each axis. In slots the
// faces of a cell come together.
int correctionIndex(ivec3 C, int axis, ivec3 size) { return ((axis * size.z + C.z) * size.y + C.y) * size.x + C.x; }
int blockCorrectionIndex(ivec3 C, int axis) { return blocksInSlots() ? 3 * faceIndex(C) + axis : correctionIndex(C, axis, blocks() + 1); }
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
