#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/surface.glsl"
#include "shared/light_window.glsl"
#include "shared/lit_cell.glsl"
// Mean transmittance from each cell of the sky volume to the environment, over the eight diagonals of a cell.
layout(binding = 3) uniform writeonly image3D sky;
layout(binding = 4) uniform sampler3D depthBack;   // optical depths along the four diagonals to -z ...
layout(binding = 5) uniform sampler3D depthAhead;  // ... and to +z

void main() {
    ivec3 c = litCell(skyCells());
    if (outside(c, skyCells())) return;
    vec3 edge = litSize() / vec3(skyCells()), x = litLow() + (vec3(c) + 0.5) * edge;
    vec4 back = exp(-texelFetch(depthBack, c, 0)), ahead = exp(-texelFetch(depthAhead, c, 0));
    float sum = 0.0;
    for (int n = 0; n < 8; ++n) {
        int hit;
        surfaceHit(x, normalize((vec3(n & 1, (n >> 1) & 1, n >> 2) * 2.0 - 1.0) * edge), kFar, hit);
        if (hit < 0) sum += n < 4 ? back[n] : ahead[n - 4];
    }
    imageStore(sky, c, vec4(sum / 8.0));
}
