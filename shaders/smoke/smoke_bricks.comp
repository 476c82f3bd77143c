#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
layout(local_size_x = 64) in;
#include "shared/grid.glsl"
#include "shared/clamping.glsl"
#include "shared/bricks.h"
#include "shared/reach.glsl"
#include "shared/reach_of_smoke.glsl"
// Which bricks contain smoke, and how far their paths reach [scalar cells]. One group per brick; a thread reads 2x2x2 scalar cells.
layout(binding = 1) uniform sampler3D scalars;
layout(binding = 2) uniform sampler3D scalarsLeast;
layout(binding = 3) uniform sampler3D scalarsGreatest;
layout(binding = 7, scalar) writeonly buffer Bricks { SmokeBrick bricks[]; };
shared vec2 tile[64];

vec4 largest(ivec3 base) {
    if (kReductions) {
        vec3 t = (vec3(base) + 1.0) * sim.perScalar;
        return max(abs(textureLod(scalarsLeast, t, 0.0)), abs(textureLod(scalarsGreatest, t, 0.0)));
    }
    vec4 low, high;
    scalarBounds(scalars, scalarsLeast, scalarsGreatest, vec3(base) + 1.0, low, high);
    return max(abs(low), abs(high));
}

void main() {
    int i = int(gl_LocalInvocationIndex);
    ivec3 brick = ivec3(gl_WorkGroupID), first = brick * WISP_SMOKE_BRICK;
    vec3 scalar = largest(first + 2 * ivec3(i % 4, i / 4 % 4, i / 16)).xyz;  // channels that the scene does not have are 0
    tile[i] = vec2(max(scalar.x, max(scalar.y, scalar.z)), float(kScalarRatio) * boundingRadius(first, i));
    for (int s = 32; s > 0; s >>= 1) {
        barrier();
        if (i < s) tile[i] = max(tile[i], tile[i + s]);
    }
    if (i != 0) return;
    ivec3 count = (sim.scalarCells + WISP_SMOKE_BRICK - 1) / WISP_SMOKE_BRICK;
    bricks[cellIndex(brick, count)] = SmokeBrick(tile[0].x > 0.0 ? 1u : 0u, tile[0].y);
}
