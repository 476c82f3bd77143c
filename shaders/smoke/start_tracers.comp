#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/tracers.glsl"
// Tracers everywhere, of all ages, so that later the same number is spawned in every step.
layout(binding = 1, scalar) writeonly buffer Tracers { vec4 tracers[]; };

void main() {
    uint n = gl_GlobalInvocationID.x;
    if (n < push.count) tracers[n] = born(n, push.lifetime * (float(n) + 0.5) / float(push.count));
}
