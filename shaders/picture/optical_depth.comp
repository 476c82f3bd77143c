#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/occupancy.glsl"
#include "shared/depth_along.glsl"
#include "shared/optical_depth.glsl"
// Whether the samples of depthAlong need no look at the smoke. Without fire, smoke thinner than view.minDensity has no bricks.
bool isEmpty(vec3 u, vec3 s) {
    if (!kFire) return false;
    float inside = min(leave(u, s), 1.0) / float(WISP_DEPTH_CELLS), most = 0.0;
    [[unroll]] for (int i = 0; i < WISP_DEPTH_CELLS; ++i)
        most = max(most, largestDensity(litLow() + (u + (float(i) + 0.5) * inside * s) * litSize()));
    return most == 0.0;
}

// Optical depth of one step s from the centre of each cell, in up to four directions.
void main() {
    ivec3 c = litCell(skyCells());
    if (outside(c, skyCells())) return;
    vec4 D = vec4(0.0);
    for (int n = 0; n < WISP_DEPTHS; ++n)
        if (!isEmpty(middleOf(c), segment(n).xyz)) D[n] = depthAlong(middleOf(c), segment(n).xyz, segment(n).w, WISP_DEPTH_CELLS);
    storeDepth(c, D);
}
