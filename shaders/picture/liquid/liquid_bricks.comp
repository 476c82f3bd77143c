#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/view.h"
layout(local_size_x = WISP_BRICK_THREADS) in;
// Smallest and largest distance to the surface in a brick, including the one-cell border that its trilinear samples reach. If both have the
// same sign, no ray meets the surface. One group per brick; a thread reads 2x2x2 cells.
layout(binding = 1) uniform sampler3D distances;
layout(binding = 2) uniform writeonly image3D bricksOut;
shared vec2 tile[WISP_BRICK_THREADS];

vec2 rangeOf(ivec3 base) {
    vec2 range = vec2(1e30, -1e30);
    for (int n = 0; n < 8; ++n) {
        float phi = texelFetch(distances, clamp(base + ivec3(n & 1, (n >> 1) & 1, n >> 2), ivec3(0), sim.scalarCells - 1), 0).x;
        range = vec2(min(range.x, phi), max(range.y, phi));
    }
    return range;
}

void main() {
    ivec3 brick = ivec3(gl_WorkGroupID), first = brick * WISP_BRICK - 1;
    const int edge = (WISP_BRICK + 2) / 2;
    int i = int(gl_LocalInvocationIndex);
    ivec3 place = ivec3(i % edge, (i / edge) % edge, i / (edge * edge));
    tile[i] = rangeOf(first + 2 * min(place, ivec3(edge - 1)));
    for (uint s = WISP_BRICK_THREADS / 2; s > 0; s >>= 1) {
        barrier();
        if (i < s) tile[i] = vec2(min(tile[i].x, tile[i + s].x), max(tile[i].y, tile[i + s].y));
    }
    if (i == 0) imageStore(bricksOut, brick, vec4(tile[0], 0.0, 0.0));
}
