#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
#include "shared/brick_grid.glsl"
// Last of three passes: the list, in the order of the bricks within each part, so that runs are the same bit for bit.
layout(binding = 1, scalar) readonly buffer States { uint states[]; };
layout(binding = 2, scalar) readonly buffer Counts { uvec4 counts[]; };  // before the bricks of a work group
layout(binding = 3, scalar) buffer ListBuffer { BrickList brickListOut; uint listedOut[]; };
#include "shared/brick_class.glsl"
#define WISP_SUM uvec4
shared uvec4 sums[WISP_SCAN_THREADS];
#include "shared/scan.glsl"

void main() {
    int n = brickIndex();
    uvec4 parts = partsOf(n), place = sumBefore(parts);
    if (n >= brickTotal()) return;
    place += counts[brickGroup()];
    uvec4 first = uvec4(0u, brickListOut.kept, brickListOut.kept + brickListOut.opened, 0u);
    first.w = first.z + brickListOut.halo;
    ivec3 b = brickAt(n);
    for (int k = 0; k < 4; ++k)
        if (parts[k] != 0u) listedOut[first[k] + place[k]] = uint(b.x) | uint(b.y) << 10 | uint(b.z) << 20;
}
