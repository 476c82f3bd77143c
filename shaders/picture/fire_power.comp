#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/view.h"
layout(local_size_x = WISP_BRICK_THREADS) in;
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/occupancy.glsl"
// Light that a brick of the occupancy grid sends out by its temperature: sum over its scalar cells, and the border that trilinear samples
// reach, of the luminance of the emission. One group per brick.
layout(binding = 3, scalar) writeonly buffer PowerOut { float powerOut[]; };
shared float sums[WISP_BRICK_THREADS];

float powerOf(ivec3 c) {
    if (outside(c, sim.scalarCells)) return 0.0;
    vec3 x = worldPoint(scalarPoint(c));
    return dot(emissionOf(x, smokeAt(x)), vec3(0.2126, 0.7152, 0.0722));
}

void main() {
    ivec3 brick = ivec3(gl_WorkGroupID);
    const int edge = WISP_BRICK + 2;
    int i = int(gl_LocalInvocationIndex);
    float sum = 0.0;
    if (isGlowing(texelFetch(occupancy, brick, 0).xy))
        for (int n = i; n < edge * edge * edge; n += WISP_BRICK_THREADS)
            sum += powerOf(brick * WISP_BRICK - 1 + ivec3(n % edge, n / edge % edge, n / (edge * edge)));
    sums[i] = sum;
    for (int s = WISP_BRICK_THREADS / 2; s > 0; s >>= 1) {
        barrier();
        if (i < s) sums[i] += sums[i + s];
    }
    if (i == 0) powerOut[cellIndex(brick, view.bricks)] = sums[0];
}
