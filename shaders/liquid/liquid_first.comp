#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/liquid/liquid.glsl"
layout(local_size_x = WISP_SCAN_THREADS) in;
// Third of three passes of the prefix sum: the first particle of each cell. If there is not enough memory for all spawned particles, those
// of the last cells are not spawned.
layout(binding = 1, scalar) readonly buffer SpawnedFirst { uint spawnedFirst[]; };
layout(binding = 2, scalar) readonly buffer Blocks { uvec2 blocks[]; };
layout(binding = 3, scalar) buffer CellFirst { uint cellFirst[]; };
layout(binding = 4, scalar) buffer Removed { uint removed[4]; };  // the last counts particles that were not spawned
layout(push_constant, scalar) uniform Push { uint capacity; };

void main() {
    uint c = gl_GlobalInvocationID.x, total = cellTotal(), perBlock = WISP_SCAN_THREADS * WISP_SCAN_CELLS;
    if (c > total) return;
    uvec2 all = blocks[(total + perBlock - 1u) / perBlock];
    uvec2 own = c < total ? blocks[c / perBlock] + uvec2(cellFirst[c], spawnedFirst[c]) : all;
    cellFirst[c] = own.x + min(own.y, capacity - all.x);
    if (c == total) removed[3] += own.y - min(own.y, capacity - all.x);
}
