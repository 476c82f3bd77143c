#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
#include "shared/brick_grid.glsl"
// Second of two passes: the list, in the order of the bricks within each part, so that runs are the same bit for bit, and the commands for
// the passes over each part. Every work group adds up the counts of those before it; a pass of its own would take longer.
layout(binding = 1, scalar) readonly buffer States { uint states[]; };
layout(binding = 2, scalar) readonly buffer Counts { uvec4 counts[]; };  // of the work groups of brick_counts.comp
layout(binding = 3, scalar) writeonly buffer ListOut { BrickList brickListOut; ListedBrick listedOut[]; };
layout(binding = 4, scalar) buffer Fastest { uint fastest; };  // bits of the largest coarse speed [m/s]
layout(push_constant, scalar) uniform Push { uint groups; float sourceSpeed; };  // largest speed of sources and obstacles [m/s]
#include "shared/brick_class.glsl"
#define WISP_SUM uvec4
shared uvec4 sums[WISP_SCAN_THREADS], before, total;
#include "shared/scan.glsl"

// Sum over the work group, in the thread that is last.
uvec4 sumOf(uvec4 own) { return sumBefore(own) + own; }

// Work groups (groups of a brick, bricks in a row, rows) for `count` bricks.
uvec3 command(uint count, uint groupsOfBrick) {
    uint rows = (count + WISP_BRICKS_IN_ROW - 1u) / WISP_BRICKS_IN_ROW;
    return uvec3(groupsOfBrick, min(count, WISP_BRICKS_IN_ROW), rows);
}

// Paths may be somewhat longer than in the step before. They end within the halo.
int reachOfPaths() {
    float speed = max(uintBitsToFloat(fastest), sourceSpeed);
    return int(clamp(ceil(1.5 * speed * sim.dt / sim.h) + 3.0, 6.0, float(WISP_BRICK_EDGE - 2)));
}

void writeHeader() {
    uint t = gl_LocalInvocationIndex, part = t / WISP_UNIT_SIZES;
    uint count = part == WISP_ACTIVE ? total.x + total.y : part == WISP_FILL ? total.y + total.z
               : part == WISP_LISTED ? total.x + total.y + total.z : total.w;
    if (t < WISP_PARTS * WISP_UNIT_SIZES) brickListOut.commands[t] = command(count, 1u << (t % WISP_UNIT_SIZES));
    if (t != 0u) return;
    brickListOut.size = brickCount();
    brickListOut.kept = total.x;
    brickListOut.opened = total.y;
    brickListOut.halo = total.z;
    brickListOut.closing = total.w;
    brickListOut.reach = reachOfPaths();
    fastest = 0u;  // for the next step
}

void main() {
    uint t = gl_LocalInvocationIndex, group = uint(brickGroup());
    uvec4 ofAll = uvec4(0u), ofEarlier = uvec4(0u);
    for (uint n = t; n < groups; n += WISP_SCAN_THREADS) {
        ofAll += counts[n];
        if (n < group) ofEarlier += counts[n];
    }
    uvec4 all = sumOf(ofAll), earlier = sumOf(ofEarlier);
    if (t == WISP_SCAN_THREADS - 1) {
        total = all;
        before = earlier;
    }
    int n = brickIndex();
    uint around = n < brickTotal() ? activeAround(n) : 0u;
    uvec4 parts = n < brickTotal() ? partsOf(n, around) : uvec4(0u), place = sumBefore(parts);  // also a barrier
    if (group == 0u) writeHeader();
    if (n >= brickTotal()) return;
    place += before;
    uvec4 first = uvec4(0u, total.x, total.x + total.y, total.x + total.y + total.z);
    ivec3 b = brickAt(n);
    for (int k = 0; k < 4; ++k)
        if (parts[k] != 0u) listedOut[first[k] + place[k]] = ListedBrick(uint(b.x) | uint(b.y) << 10 | uint(b.z) << 20, around);
}
