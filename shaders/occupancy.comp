#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/view.h"
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
// Largest density of a brick and the one-cell border that its trilinear samples reach. One group a brick.
layout(binding = 2) uniform sampler3D scalars;
layout(binding = 3) uniform writeonly image3D occupancy;
shared float tile[256];

void main() {
    ivec3 brick = ivec3(gl_WorkGroupID), first = brick * WISP_BRICK - 1;
    const int edge = WISP_BRICK + 2;
    float largest = 0.0;
    for (int i = int(gl_LocalInvocationIndex); i < edge * edge * edge; i += 256) {
        ivec3 c = first + ivec3(i % edge, (i / edge) % edge, i / (edge * edge));
        largest = max(largest, texelFetch(scalars, inGrid(c, sim.scalarCells), 0).x);
    }
    tile[gl_LocalInvocationIndex] = largest;
    for (uint s = 128; s > 0; s >>= 1) {
        barrier();
        if (gl_LocalInvocationIndex < s) tile[gl_LocalInvocationIndex] = max(tile[gl_LocalInvocationIndex], tile[gl_LocalInvocationIndex + s]);
    }
    if (gl_LocalInvocationIndex == 0) imageStore(occupancy, brick, vec4(tile[0]));
}
