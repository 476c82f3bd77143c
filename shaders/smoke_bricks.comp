#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/clamping.glsl"
#include "shared/bricks.h"
layout(local_size_x = 64) in;
// Which bricks hold smoke, and how far their paths reach. One group a brick; a thread looks at 2x2x2 scalar cells, and as many paths.
layout(binding = 1) uniform sampler3D scalars;
layout(binding = 2) uniform sampler3D scalarsLeast;
layout(binding = 3) uniform sampler3D scalarsGreatest;
layout(binding = 4) uniform sampler3D back;
layout(binding = 5) uniform sampler3D backLeast;
layout(binding = 6) uniform sampler3D backGreatest;
layout(binding = 7, scalar) writeonly buffer Bricks { SmokeBrick bricks[]; };
shared vec2 tile[64];

vec4 largest(sampler3D field, sampler3D least, sampler3D greatest, ivec3 base, ivec3 size) {
    if (kReductions) {
        vec3 t = (vec3(base) + 1.0) / vec3(size);
        return max(abs(textureLod(least, t, 0.0)), abs(textureLod(greatest, t, 0.0)));
    }
    vec4 low, high;
    bounds(field, base, size - 1, low, high);
    return max(abs(low), abs(high));
}

void main() {
    int i = int(gl_LocalInvocationIndex), ratio = sim.scalarRatio;
    ivec3 brick = ivec3(gl_WorkGroupID), first = brick * WISP_SMOKE_BRICK, place = 2 * ivec3(i % 4, i / 4 % 4, i / 16);
    vec2 scalar = largest(scalars, scalarsLeast, scalarsGreatest, first + place, sim.scalarCells).xy;
    // Finer scalars have their paths by interpolation, from one cell before on.
    vec3 path = largest(back, backLeast, backGreatest, first / ratio - (ratio - 1) + place, sim.cells).xyz;
    tile[i] = vec2(max(scalar.x, scalar.y), float(ratio) * max(path.x, max(path.y, path.z)));
    for (int s = 32; s > 0; s >>= 1) {
        barrier();
        if (i < s) tile[i] = max(tile[i], tile[i + s]);
    }
    if (i != 0) return;
    ivec3 count = (sim.scalarCells + WISP_SMOKE_BRICK - 1) / WISP_SMOKE_BRICK;
    bricks[(brick.z * count.y + brick.y) * count.x + brick.x] = SmokeBrick(tile[0].x > 0.0 ? 1u : 0u, tile[0].y);
}
