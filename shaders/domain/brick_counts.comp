#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
#include "shared/brick_grid.glsl"
// First of two passes that list the bricks: how many bricks of a work group each part of the list gets.
layout(binding = 1, scalar) readonly buffer States { uint states[]; };
layout(binding = 2, scalar) writeonly buffer CountsOut { uvec4 countsOut[]; };
#include "shared/brick_class.glsl"
shared uint counts[4];

void main() {
    uint t = gl_LocalInvocationIndex;
    if (t < 4u) counts[t] = 0u;
    barrier();
    int n = brickIndex();
    uvec4 parts = n < brickTotal() ? partsOf(n, activeAround(n)) : uvec4(0u);
    for (int k = 0; k < 4; ++k)
        if (parts[k] != 0u) atomicAdd(counts[k], 1u);
    barrier();
    if (t == 0u) countsOut[brickGroup()] = uvec4(counts[0], counts[1], counts[2], counts[3]);
}
