#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/depth_along.glsl"
#include "shared/optical_depth.glsl"
// Optical depth of twice the length: D(x) + D(x + s), from depths of the length |s|.
layout(binding = 4) uniform sampler3D depthIn;

void main() {
    ivec3 c = litCell(skyCells());
    if (outside(c, skyCells())) return;
    vec4 D = texelFetch(depthIn, c, 0);
    for (int n = 0; n < WISP_DEPTHS; ++n) {
        vec3 s = segment(n).xyz;
        D[n] += knownDepth(depthIn, middleOf(c) + s, s, 1.0)[n];
    }
    storeDepth(c, D);
}
