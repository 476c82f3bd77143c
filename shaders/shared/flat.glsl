// SPDX-License-Identifier: MIT
// Grids with a depth of one cell are two-dimensional: their sides along z are walls, and nothing depends on z. For other grids the compiler
// eliminates this code.
#ifndef WISP_FLAT_GLSL
#define WISP_FLAT_GLSL
layout(constant_id = 18) const bool kFlat = false;
const int kAxes = kFlat ? 2 : 3;  // axes of a velocity
const int kCorners = kFlat ? 4 : 8;  // corners of a cell; the bits of corner number n are the axes

// Offset within a block of cells or between blocks. In a flat grid it has no z component: the second layer of a block is a copy of the
// first. Means over the four faces or eight cells of a block are therefore those of a deep grid whose state does not depend on z.
ivec3 inLayer(ivec3 offset) { return kFlat ? ivec3(offset.xy, 0) : offset; }
#endif
