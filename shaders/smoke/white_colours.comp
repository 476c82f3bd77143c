#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/grid.glsl"
// All smoke is white: K = s (1, 1, 1) for the density s. The bits are the same if both have the same storage format.
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 2) uniform writeonly image3D coloursOut;

void main() {
    ivec3 c = cell();
    if (outside(c, sim.scalarCells)) return;
    ivec3 texel = scalarTexel(c);
    imageStore(coloursOut, texel, vec4(vec3(texelFetch(scalarsIn, texel, 0).x), 0.0));
}
