#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#define WISP_SCAN_THREADS 256
layout(local_size_x = WISP_SCAN_THREADS) in;
// Running sums over the bricks of fire_power, in place. One group.
layout(binding = 3, scalar) buffer FireTable { float fireTable[]; };
layout(push_constant, scalar) uniform Push { uint total; };
shared float sums[WISP_SCAN_THREADS];
#define WISP_SUM float
#include "shared/scan.glsl"

void main() {
    uint part = (total + WISP_SCAN_THREADS - 1) / WISP_SCAN_THREADS, first = gl_LocalInvocationIndex * part, end = min(first + part, total);
    float sum = 0.0;
    for (uint n = first; n < end; ++n) sum += fireTable[n];
    sum = sumBefore(sum);
    for (uint n = first; n < end; ++n) {
        sum += fireTable[n];
        fireTable[n] = sum;
    }
}
