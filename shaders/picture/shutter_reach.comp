#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/grid.glsl"
// Largest component of the velocity along each axis [m/s], as the bits of a float: floats from 0 on and their bits have the same order.
// Starts from zeros. In a sparse simulation the pass runs over listed bricks, then over the coarse grid.
layout(binding = 1) uniform sampler3D velocity;  // on faces
layout(binding = 2, scalar) buffer FastestOut { uint fastestOut[3]; };
shared uint fastest[3];

void main() {
    if (gl_LocalInvocationIndex < 3u) fastest[gl_LocalInvocationIndex] = 0u;
    barrier();
    ivec3 c = cell();
    if (!outside(c, sim.cells + 1)) {
        vec3 u = texelFetch(velocity, texelOf(c), 0).xyz;
        for (int axis = 0; axis < 3; ++axis)
            if (faceExists(c, axis)) atomicMax(fastest[axis], floatBitsToUint(abs(u[axis])));
    }
    barrier();
    if (gl_LocalInvocationIndex < 3u) atomicMax(fastestOut[gl_LocalInvocationIndex], fastest[gl_LocalInvocationIndex]);
}
