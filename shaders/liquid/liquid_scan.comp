#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/liquid/liquid.glsl"
layout(local_size_x = WISP_SCAN_THREADS) in;
// First of three passes that order particles by cell: prefix sums over the cells of a work group, of existing particles and of particles to
// be spawned.
layout(binding = 1, scalar) readonly buffer Counts { uint counts[]; };
layout(binding = 2, scalar) readonly buffer Spawned { uint spawned[]; };
layout(binding = 3, scalar) writeonly buffer FirstOut { uint firstOut[]; };
layout(binding = 4, scalar) writeonly buffer SpawnedFirstOut { uint spawnedFirstOut[]; };
layout(binding = 5, scalar) writeonly buffer BlocksOut { uvec2 blocksOut[]; };
shared uvec2 sums[WISP_SCAN_THREADS];
#define WISP_SUM uvec2
#include "shared/scan.glsl"

void main() {
    uint first = gl_GlobalInvocationID.x * WISP_SCAN_CELLS, t = gl_LocalInvocationIndex, total = cellTotal();
    uvec2 own[WISP_SCAN_CELLS], sum = uvec2(0u);
    [[unroll]] for (uint k = 0u; k < WISP_SCAN_CELLS; ++k) {
        own[k] = sum;
        if (first + k < total) sum += uvec2(counts[first + k], bitCount(spawned[first + k]));
    }
    uvec2 before = sumBefore(sum);
    [[unroll]] for (uint k = 0u; k < WISP_SCAN_CELLS; ++k) {
        if (first + k >= total) break;
        firstOut[first + k] = before.x + own[k].x;
        spawnedFirstOut[first + k] = before.y + own[k].y;
    }
    if (t == WISP_SCAN_THREADS - 1) blocksOut[gl_WorkGroupID.x] = before + sum;
}
