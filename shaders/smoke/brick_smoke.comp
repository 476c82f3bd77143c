#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
#include "shared/clamping.glsl"
#include "shared/smoke_brick.glsl"
#include "shared/reach.glsl"
// The box of fine cells of a brick that hold smoke, heat or fuel above the threshold, how far its fluid came in the last step, and which of
// its bricks of smoke are not empty (see smoke_bricks.comp). One work group per brick; a thread reads blocks of 2x2x2 scalar cells.
layout(binding = 1) uniform sampler3D scalars;
layout(binding = 2) uniform sampler3D scalarsLeast;
layout(binding = 3) uniform sampler3D scalarsGreatest;
layout(binding = 4, scalar) readonly buffer Reach { float reach[]; };  // see shared/reach.glsl
layout(binding = 5, scalar) writeonly buffer SmokeOut { BrickSmoke smokeOut[]; };
layout(binding = 6, scalar) writeonly buffer Bricks { SmokeBrick bricks[]; };
layout(push_constant, scalar) uniform Push { float threshold; };  // of density
const float kKelvinPerDensity = 100.0;  // this excess of temperature matters as much as a density of 1
shared uint low[3], high[3], longest, densest, holds[256];  // holds: a bit for each brick of smoke in a row along x

float most(ivec3 base) {
    vec4 least, greatest;
    scalarBounds(scalars, scalarsLeast, scalarsGreatest, vec3(base) + 1.0, least, greatest);
    vec3 s = max(abs(least), abs(greatest)).xyz;  // channels that the scene does not have are 0
    return max(s.x, max(s.y / kKelvinPerDensity, s.z));  // 0 only if all are
}

void main() {
    uint t = gl_LocalInvocationIndex;
    ivec3 brick = listedBrick();
    if (brick == kNowhere) return;
    if (t < 3u) low[t] = WISP_BRICK_EDGE, high[t] = 0u;
    if (t == 3u) longest = densest = 0u;
    holds[t] = 0u;
    barrier();
    const int edge = WISP_BRICK_EDGE * kScalarRatio / 2, parts = 2 * edge / WISP_SMOKE_BRICK;  // of the brick [blocks], [bricks of smoke]
    for (int n = int(t); n < edge * edge * edge; n += 256) {
        ivec3 block = ivec3(n % edge, n / edge % edge, n / (edge * edge)), base = 2 * (brick * edge + block);
        float s = outside(base, sim.scalarCells) ? 0.0 : most(base);
        ivec3 part = 2 * block / WISP_SMOKE_BRICK;
        if (s > 0.0) atomicOr(holds[part.z * parts + part.y], 1u << part.x);
        if (!(s > threshold)) continue;
        atomicMax(densest, floatBitsToUint(s));
        for (int axis = 0; axis < 3; ++axis) {
            atomicMin(low[axis], uint(2 * block[axis] / kScalarRatio));
            atomicMax(high[axis], uint((2 * block[axis] + 1) / kScalarRatio));
        }
    }
    ivec3 groups = ivec3(WISP_BRICK_EDGE) / kReachGroup;
    for (int n = int(t); n < groups.x * groups.y * groups.z; n += 256) {
        ivec3 c = kReachGroup * (brick * groups + ivec3(n % groups.x, n / groups.x % groups.y, n / (groups.x * groups.y)));
        if (!outside(c, sim.cells)) atomicMax(longest, floatBitsToUint(reach[reachIndex(c)]));
    }
    barrier();
    for (int n = int(t); n < parts * parts * parts; n += 256) {
        ivec3 part = ivec3(n % parts, n / parts % parts, n / (parts * parts)), all = brick * parts + part;
        if (!outside(all, smokeBricks()))
            bricks[smokeBrickIndex(all)] = SmokeBrick(holds[part.z * parts + part.y] >> part.x & 1u, 0.0);
    }
    if (t != 0u) return;
    uint box = low[0] | low[1] << 4 | low[2] << 8 | high[0] << 12 | high[1] << 16 | high[2] << 20 | 1u << 24;
    smokeOut[cellIndex(brick, brickList.size)] = 
        BrickSmoke(low[0] < WISP_BRICK_EDGE ? box : 0u, uintBitsToFloat(densest), uintBitsToFloat(longest));
}
