#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/view.h"
layout(local_size_x = WISP_BRICK_THREADS) in;
// Largest density of a brick, including the one-cell border that its trilinear samples reach. One group per brick; a thread reads 2x2x2
// cells.
layout(binding = 2) uniform sampler3D scalars;
layout(binding = 4) uniform sampler3D scalarsGreatest;
layout(binding = 3) uniform writeonly image3D occupancyOut;
layout(constant_id = 5) const bool kReductions = false;  // the device has a max reduction sampler, which is faster
shared float tile[WISP_BRICK_THREADS];

float largestOf(ivec3 base) {
    if (kReductions) return textureLod(scalarsGreatest, (vec3(base) + 1.0) * sim.perScalar, 0.0).x;
    float largest = 0.0;
    for (int n = 0; n < 8; ++n) {
        ivec3 c = base + ivec3(n & 1, (n >> 1) & 1, n >> 2);
        largest = max(largest, texelFetch(scalars, inGrid(c, sim.scalarCells), 0).x);
    }
    return largest;
}

void main() {
    ivec3 brick = ivec3(gl_WorkGroupID), first = brick * WISP_BRICK - 1;
    const int edge = (WISP_BRICK + 2) / 2;
    int i = int(gl_LocalInvocationIndex);
    ivec3 place = ivec3(i % edge, (i / edge) % edge, i / (edge * edge));
    tile[i] = place.z < edge ? largestOf(first + 2 * place) : 0.0;
    for (uint s = WISP_BRICK_THREADS / 2; s > 0; s >>= 1) {
        barrier();
        if (i < s) tile[i] = max(tile[i], tile[i + s]);
    }
    if (i == 0) imageStore(occupancyOut, brick, vec4(tile[0]));
}
