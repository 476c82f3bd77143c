#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
#include "shared/grid.glsl"
#include "shared/view.h"
// The box of the bricks of the occupancy grid with a density above a limit, in a sparse simulation. Rays and shadow rays enter no other
// part of the box. Starts from zeros.
layout(binding = 1, scalar) uniform ViewBlock { ViewData view; };
layout(binding = 2) uniform sampler3D occupancy;
layout(binding = 3, scalar) buffer SmokeBoxOut { SmokeBox smokeBoxOut; };
layout(push_constant, scalar) uniform Push { float above; };
shared int fromHigh[3], end[3];

void main() {
    uint t = gl_LocalInvocationIndex;
    if (t < 3u) fromHigh[t] = 0, end[t] = 0;
    barrier();
    ivec3 b = cell();
    if (!outside(b, view.bricks) && texelFetch(occupancy, b, 0).x > above) {
        for (int axis = 0; axis < 3; ++axis) {
            atomicMax(fromHigh[axis], view.bricks[axis] - b[axis]);
            atomicMax(end[axis], b[axis] + 1);
        }
    }
    barrier();
    if (t >= 3u || end[t] == 0) return;
    atomicMax(smokeBoxOut.fromHigh[t], fromHigh[t]);
    atomicMax(smokeBoxOut.end[t], end[t]);
}
