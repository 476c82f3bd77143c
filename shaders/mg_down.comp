#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// One sweep from zero, and what is left for the next coarser level: its right-hand side is H_c^2 times
// the mean residual (b - A q) / H^2 of the eight cells below, half their sum; of four in flat grids, their sum.
#include "shared/pressure_level.h"
#extension GL_EXT_scalar_block_layout : require
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 4, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(binding = 7, scalar) writeonly buffer RhsOut { float rhsOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; PressureLevel coarse; float tolerance; float omega; };
#include "shared/tile.glsl"
#include "shared/stop.glsl"

shared float sums[WISP_TILE_THREADS];

// The red half from zero, q = omega b / sum_f w_f, needs no neighbours.
void fillTile() {
    const int count = kCells / 2;  // pairs of a red and a black cell
    float q[(count + WISP_TILE_THREADS - 1) / WISP_TILE_THREADS];
    ivec3 places[q.length()];
    [[unroll]] for (int k = 0; k < q.length(); ++k) {
        int n = int(gl_LocalInvocationIndex) + k * WISP_TILE_THREADS;
        ivec3 p = ivec3(2 * (n % kHalf), (n / kHalf) % kStored.y, n / (kHalf * kStored.y));
        places[k] = p;
        p.x += (p.y + p.z) & 1;
        ivec3 stored = tileFirst() + p, C = nearest(level, stored);
        float w = weightsAt(level, C).w, b = rhs[cellIndex(level, C)];
        q[k] = stored == C && w > 0.0 ? omega * b / w : 0.0;
    }
    [[unroll]] for (int k = 0; k < q.length(); ++k) {
        ivec3 p = places[k];
        if (p.z >= kStored.z) continue;
        bool evenRed = ((p.y + p.z) & 1) == 0;
        tile[placeOf(p)] = evenRed ? q[k] : 0.0;
        tile[placeOf(p + unit(0))] = evenRed ? 0.0 : q[k];
    }
}

void storePair(ivec3 p) {
    [[unroll]] for (int k = 0; k < 2; ++k) {
        ivec3 C = tileFirst() + p + k * unit(0);
        if (!outside(C, level.cells)) pressureOut[cellIndex(level, C)] = tile[placeOf(p + k * unit(0))];
    }
}

void main() {
    if (converged(tolerance)) return;
    int n = int(gl_LocalInvocationIndex);
    TileCell black[kAround], own[2] = TileCell[2](ownCell(n, 0), ownCell(n, 1));
    [[unroll]] for (int k = 0; k < kAround; ++k) black[k] = cellAround(n + k * WISP_TILE_THREADS, 1);
    fillTile();
    barrier();
    [[unroll]] for (int k = 0; k < kAround; ++k) relaxCell(black[k]);
    barrier();
    ivec3 p = ownPair(n), C = (tileFirst() + p) / 2;
    storePair(p);
    sums[n] = (own[0].sum > 0.0 ? residualOf(own[0]) : 0.0) + (own[1].sum > 0.0 ? residualOf(own[1]) : 0.0);
    barrier();
    // Of four threads with a pair of cells each, one has the coarse cell.
    if (((p.y | p.z) & 1) == 1 || outside(C, coarse.cells)) return;
    const int row = kTile.x / 2, plane = row * kTile.y;
    rhsOut[cellIndex(coarse, C)] = 0.5 * float(kHalvesOfSum) * ((sums[n] + sums[n + row]) + (sums[n + plane] + sums[n + plane + row]));
}
