#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
layout(local_size_x = 64) in;
#include "shared/grid.glsl"
#include "shared/clamping.glsl"
#include "shared/bricks.h"
#include "shared/reach.glsl"
// Which bricks contain smoke, and how far their paths reach [scalar cells]. One group per brick; a thread reads 2x2x2 scalar cells.
layout(binding = 1) uniform sampler3D scalars;
layout(binding = 2) uniform sampler3D scalarsLeast;
layout(binding = 3) uniform sampler3D scalarsGreatest;
layout(binding = 4, scalar) readonly buffer Reach { float reach[]; };  // see shared/reach.glsl
layout(binding = 7, scalar) writeonly buffer Bricks { SmokeBrick bricks[]; };
shared vec2 tile[64];

vec4 largest(ivec3 base) {
    if (kReductions) {
        vec3 t = (vec3(base) + 1.0) * sim.perScalar;
        return max(abs(textureLod(scalarsLeast, t, 0.0)), abs(textureLod(scalarsGreatest, t, 0.0)));
    }
    vec4 low, high;
    bounds(scalars, base, sim.scalarCells - 1, low, high);
    return max(abs(low), abs(high));
}

// The longest backward path in one group of backtrace.comp, which is at least two cells wide. The groups of all of the brick's cells are
// visited. If scalars are finer, paths are interpolated, and the cells before and behind are visited, too. 64 look-ups cover all of them.
float boundingRadius(ivec3 first, int n) {
    ivec3 which = ivec3(n % 4, n / 4 % 4, n / 16), last = sim.cells - 1;
    ivec3 low = first / kScalarRatio, high = min((first + WISP_SMOKE_BRICK - 1) / kScalarRatio, last);
    ivec3 c = min(low + 2 * which, last);
    if (kScalarRatio > 1) c = inGrid(mix(low, high, greaterThan(which, ivec3(1))) + (which + 1) / 2 - 1, sim.cells);
    return reach[cellIndex(c / kReachGroup, reachGroups())];
}

// The work group's brick of smoke. An active brick holds `kUnit` of them along each edge.
ivec3 smokeBrick() {
    if (kUnit == 0) return ivec3(gl_WorkGroupID);
    ivec3 b = listedBrick();
    int g = int(gl_WorkGroupID.x);
    return b == kNowhere ? b : b * kUnit + ivec3(g % kUnit, g / kUnit % kUnit, g / (kUnit * kUnit));
}

void main() {
    int i = int(gl_LocalInvocationIndex);
    ivec3 brick = smokeBrick(), first = brick * WISP_SMOKE_BRICK, count = (sim.scalarCells + WISP_SMOKE_BRICK - 1) / WISP_SMOKE_BRICK;
    if (kUnit > 0 && outside(brick, count)) return;
    vec2 scalar = largest(first + 2 * ivec3(i % 4, i / 4 % 4, i / 16)).xy;
    tile[i] = vec2(max(scalar.x, scalar.y), float(kScalarRatio) * boundingRadius(first, i));
    for (int s = 32; s > 0; s >>= 1) {
        barrier();
        if (i < s) tile[i] = max(tile[i], tile[i + s]);
    }
    if (i != 0) return;
    bricks[cellIndex(brick, count)] = SmokeBrick(tile[0].x > 0.0 ? 1u : 0u, tile[0].y);
}
