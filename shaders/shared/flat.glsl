// SPDX-License-Identifier: MIT
// Grids of one cell in depth are two-dimensional: their sides along z are walls, nothing depends on z, and all of what follows
// from it folds away in others.
#ifndef WISP_FLAT_GLSL
#define WISP_FLAT_GLSL
layout(constant_id = 18) const bool kFlat = false;
const int kAxes = kFlat ? 2 : 3;  // that velocities have
const int kCorners = kFlat ? 4 : 8;  // of a cell; n's bits are the axes

// An offset within a block of cells or between blocks. Along z of a flat grid there is none: the second layer of a block is the image of
// its first, so that means over a block's four faces or eight cells are those of a deep grid whose state does not depend on z.
ivec3 inLayer(ivec3 offset) { return kFlat ? ivec3(offset.xy, 0) : offset; }
#endif
