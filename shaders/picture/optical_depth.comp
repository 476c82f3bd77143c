#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/depth_along.glsl"
#include "shared/optical_depth.glsl"
// Optical depth of one step s from the centre of each cell, in up to four directions.
void main() {
    ivec3 c = litCell(skyCells());
    if (outside(c, skyCells())) return;
    vec4 D = vec4(0.0);
    for (int n = 0; n < WISP_DEPTHS; ++n) D[n] = depthAlong(middleOf(c), segment(n).xyz, segment(n).w, WISP_DEPTH_CELLS);
    storeDepth(c, D);
}
