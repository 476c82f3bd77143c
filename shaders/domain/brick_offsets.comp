#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
#include "shared/brick_grid.glsl"
// Second of three passes: prefix sums over the work groups of brick_counts, in a single work group, and the commands for the passes over
// each part of the list. Also starts the search for the largest speed anew.
layout(binding = 1, scalar) buffer Counts { uvec4 counts[]; };
layout(binding = 2, scalar) writeonly buffer ListOut { BrickList brickListOut; };
layout(binding = 3, scalar) writeonly buffer FastestOut { uint fastestOut; };
layout(push_constant, scalar) uniform Push { uint groups; };
#define WISP_SUM uvec4
shared uvec4 sums[WISP_SCAN_THREADS];
shared uvec4 total;
#include "shared/scan.glsl"

// Work groups (groups of a brick, bricks in a row, rows) for `count` bricks.
uvec3 command(uint count, uint groupsOfBrick) {
    uint rows = (count + WISP_BRICKS_IN_ROW - 1u) / WISP_BRICKS_IN_ROW;
    return uvec3(groupsOfBrick, min(count, WISP_BRICKS_IN_ROW), rows);
}

void main() {
    uint t = gl_LocalInvocationIndex, share = (groups + WISP_SCAN_THREADS - 1u) / WISP_SCAN_THREADS, first = min(t * share, groups),
         end = min(first + share, groups);
    uvec4 sum = uvec4(0u);
    for (uint n = first; n < end; ++n) sum += counts[n];
    uvec4 before = sumBefore(sum);
    for (uint n = first; n < end; ++n) {
        uvec4 own = counts[n];
        counts[n] = before;
        before += own;
    }
    if (t == WISP_SCAN_THREADS - 1) total = before;
    barrier();
    if (t < WISP_PARTS * WISP_UNIT_SIZES) {
        uint part = t / WISP_UNIT_SIZES;
        uint count = part == WISP_ACTIVE ? total.x + total.y : part == WISP_FILL ? total.y + total.z
                   : part == WISP_LISTED ? total.x + total.y + total.z : total.w;
        brickListOut.commands[t] = command(count, 1u << (t % WISP_UNIT_SIZES));
    }
    if (t != 0u) return;
    brickListOut.size = brickCount();
    brickListOut.kept = total.x;
    brickListOut.opened = total.y;
    brickListOut.halo = total.z;
    brickListOut.closing = total.w;
    fastestOut = 0u;
}
