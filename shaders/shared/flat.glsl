// SPDX-License-Identifier: MIT
// Grids of one cell in depth are two-dimensional: their sides along z are walls, nothing depends on z, and all of what follows
// from it folds away in others.
#ifndef WISP_FLAT_GLSL
#define WISP_FLAT_GLSL
layout(constant_id = 18) const bool kFlat = false;
const int kAxes = kFlat ? 2 : 3;  // that velocities have
const int kCorners = kFlat ? 4 : 8;  // of a cell; n's bits are the axes
#endif
