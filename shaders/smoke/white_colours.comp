#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
// All smoke is white: K = s (1, 1, 1) for the density s. The bits are the same if both have the same storage format.
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 2) uniform writeonly image3D coloursOut;

void main() {
    ivec3 c = cell();
    if (outside(c, sim.scalarCells)) return;
    imageStore(coloursOut, c, vec4(vec3(texelFetch(scalarsIn, c, 0).x), 0.0));
}
