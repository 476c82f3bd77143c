#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/liquid/liquid.h"
layout(local_size_x = WISP_SCAN_THREADS) in;
// Second of three passes: prefix sums over the work groups of liquid_scan, in a single work group. The total follows the last entry.
layout(binding = 1, scalar) buffer Blocks { uvec2 blocks[]; };
layout(push_constant, scalar) uniform Push { uint count; };
shared uvec2 sums[WISP_SCAN_THREADS];
#define WISP_SUM uvec2
#include "shared/scan.glsl"

void main() {
    uint share = (count + WISP_SCAN_THREADS - 1) / WISP_SCAN_THREADS, first = min(gl_LocalInvocationIndex * share, count),
        end = min(first + share, count);
    uvec2 sum = uvec2(0u);
    for (uint n = first; n < end; ++n) sum += blocks[n];
    uvec2 before = sumBefore(sum);
    for (uint n = first; n < end; ++n) {
        uvec2 own = blocks[n];
        blocks[n] = before;
        before += own;
    }
    if (gl_LocalInvocationIndex == WISP_SCAN_THREADS - 1) blocks[count] = before;
}
