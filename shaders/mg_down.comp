#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// One sweep from zero, and what is left for the next coarser level: its right-hand side is H_c^2 times
// the mean residual (b - A q) / H^2 of the eight cells below, half their sum.
#define WISP_HALO 2
#include "shared/pressure_level.h"
#extension GL_EXT_scalar_block_layout : require
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 4, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(binding = 7, scalar) writeonly buffer RhsOut { float rhsOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; PressureLevel coarse; float tolerance; float omega; };
#include "shared/tile.glsl"
#include "shared/tile_store.glsl"
#include "shared/stop.glsl"

shared float sums[WISP_TILE_THREADS];

// The red half from zero, q = omega b / sum_f w_f, needs no neighbours.
void startTile() {
    for (int n = int(gl_LocalInvocationIndex); n < kStored.x * kStored.y * kStored.z; n += WISP_TILE_THREADS) {
        ivec3 C = tileFirst() + storedPlace(n);
        float q = 0.0;
        if (!outside(C, level.cells) && ((C.x + C.y + C.z) & 1) == 0) {
            float w = isRegular(level, C) ? 6.0 : weightsAt(level, C).w;
            if (w > 0.0) q = omega * rhs[cellIndex(level, C)] / w;
        }
        tile[n] = q;
    }
    synchronize();
}

float residualAt(ivec3 c, ivec3 p) {
    if (outside(c, level.cells)) return 0.0;
    bool regular = isRegular(level, c);
    vec4 w = regular ? vec4(6.0) : weightsAt(level, c);
    return w.w > 0.0 ? rhs[cellIndex(level, c)] - tileApplied(c, placeOf(p), (p.x & 1) == 1, regular, w) : 0.0;
}

void main() {
    if (converged(tolerance)) return;
    startTile();
    relaxTile(1, 1);
    storeTile();
    // A thread has a pair of cells along x; every fourth one then a coarse cell.
    const ivec3 pairs = ivec3(kTile.x / 2, kTile.yz);
    int n = int(gl_LocalInvocationIndex);
    ivec3 local = ivec3(n % pairs.x, (n / pairs.x) % pairs.y, n / (pairs.x * pairs.y)) * ivec3(2, 1, 1);
    ivec3 c = ivec3(gl_WorkGroupID) * kTile + local, C = c / 2;
    sums[n] = residualAt(c, local + WISP_HALO) + residualAt(c + unit(0), local + unit(0) + WISP_HALO);
    synchronize();
    if (((local.y | local.z) & 1) == 1 || outside(C, coarse.cells)) return;
    const int row = pairs.x, plane = row * pairs.y;
    rhsOut[cellIndex(coarse, C)] = 0.5 * ((sums[n] + sums[n + row]) + (sums[n + plane] + sums[n + plane + row]));
}
