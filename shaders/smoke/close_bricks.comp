#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
layout(local_size_x = 256) in;
#include "shared/grid.glsl"
#include "shared/bricks.h"
// Removes the smoke of bricks that close, from a field and its scratch fields. What is removed is counted. One work group per brick.
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 2) uniform writeonly image3D scalarsOut;
layout(binding = 3) uniform writeonly image3D scratch0;
layout(binding = 4) uniform writeonly image3D scratch1;
layout(binding = 5, scalar) writeonly buffer SmokeOut { BrickSmoke smokeOut[]; };
layout(binding = 6, scalar) writeonly buffer Bricks { SmokeBrick bricks[]; };
layout(binding = 7, scalar) buffer Losses { BrickLosses losses; };
layout(push_constant, scalar) uniform Push { int counts; };  // 1: the field is density
const float kUnits = 65536.0;  // per unit of density, see BrickLosses
shared float sums[256];

void main() {
    ivec3 brick = listedBrick();
    if (brick == kNowhere) return;
    uint t = gl_LocalInvocationIndex;
    const int edge = WISP_BRICK_EDGE * kScalarRatio;
    float sum = 0.0;
    for (int n = int(t); n < edge * edge * edge; n += 256) {
        ivec3 c = brick * edge + ivec3(n % edge, n / edge % edge, n / (edge * edge));
        if (outside(c, sim.scalarCells)) continue;
        sum += texelFetch(scalarsIn, c, 0).x;
        imageStore(scalarsOut, c, vec4(0.0));
        imageStore(scratch0, c, vec4(0.0));
        imageStore(scratch1, c, vec4(0.0));
    }
    const int parts = edge / WISP_SMOKE_BRICK;
    ivec3 part = brick * parts + ivec3(int(t) % parts, int(t) / parts % parts, int(t) / (parts * parts)),
          partCount = (sim.scalarCells + WISP_SMOKE_BRICK - 1) / WISP_SMOKE_BRICK;
    if (int(t) < parts * parts * parts && !outside(part, partCount)) bricks[cellIndex(part, partCount)] = SmokeBrick(0u, 0.0);
    sums[t] = sum;
    for (uint s = 128u; s > 0u; s >>= 1) {
        barrier();
        if (t < s) sums[t] += sums[t + s];
    }
    if (t != 0u) return;
    smokeOut[cellIndex(brick, brickList.size)] = BrickSmoke(0u, 0.0);
    if (counts == 0) return;
    uint units = uint(clamp(sums[0] * kUnits + 0.5, 0.0, 4e9)), before = atomicAdd(losses.droppedLow, units);
    if (before + units < before) atomicAdd(losses.droppedHigh, 1u);
}
