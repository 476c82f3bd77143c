#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/surface.glsl"
#include "shared/transmittance.glsl"
// Mean transmittance from each cell of the sky volume to the surroundings, over the eight diagonals of a cube.
layout(binding = 3) uniform writeonly image3D sky;

void main() {
    ivec3 c = cell();
    if (outside(c, view.skyCells)) return;
    vec3 x = sim.origin + (vec3(c) + 0.5) / vec3(view.skyCells) * boxSize();
    float cellLength = boxSize().x / float(view.skyCells.x), sum = 0.0;
    for (int n = 0; n < 8; ++n) {
        vec3 d = (vec3(n & 1, (n >> 1) & 1, n >> 2) * 2.0 - 1.0) * 0.57735027;
        int hit;
        surfaceHit(x, d, kFar, hit);
        if (hit < 0) sum += transmittance(x, d, kFar, cellLength);
    }
    imageStore(sky, c, vec4(sum / 8.0));
}
