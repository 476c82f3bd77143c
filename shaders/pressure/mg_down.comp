#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// One sweep from zero, and restriction of the residual to the next coarser level: see shared/tile_restrict.glsl.
#include "shared/pressure_level.h"
#extension GL_EXT_scalar_block_layout : require
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 4, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(binding = 7, scalar) writeonly buffer RhsOut { float rhsOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; PressureLevel coarse; float tolerance; float omega; };
#include "shared/tile.h"
#define WISP_LAYERS 2
#define WISP_THREADS WISP_TILE_THREADS
#include "shared/tile.glsl"
#include "shared/stop.glsl"
#include "shared/tile_restrict.glsl"

// The red half sweep from zero, q = omega b / sum_f w_f, needs no neighbours.
void fillTile() {
    const int count = kCells / 2;  // pairs of a red and a black cell
    float q[WISP_TURNS(WISP_STORED / 2)];
    ivec3 places[q.length()];
    [[unroll]] for (int k = 0; k < q.length(); ++k) {
        if (!isTurn(k, count)) continue;
        int n = int(gl_LocalInvocationIndex) + k * WISP_THREADS;
        ivec3 p = ivec3(2 * (n % kHalf), (n / kHalf) % kStored.y, n / (kHalf * kStored.y));
        places[k] = p;
        p.x += (p.y + p.z) & 1;
        ivec3 stored = tileFirst() + p, C = nearest(level, stored);
        float w = weightsAt(level, C).w, b = rhs[cellIndex(level, C)];
        q[k] = stored == C && w > 0.0 ? omega * b / w : 0.0;
    }
    [[unroll]] for (int k = 0; k < q.length(); ++k) {
        if (!isTurn(k, count)) continue;
        ivec3 p = places[k];
        if (p.z >= kStored.z) continue;
        bool evenRed = ((p.y + p.z) & 1) == 0;
        tile[cellIndex(p)] = evenRed ? q[k] : 0.0;
        tile[cellIndex(p + unit(0))] = evenRed ? 0.0 : q[k];
    }
}

void main() {
    if (converged(tolerance)) return;
    int n = int(gl_LocalInvocationIndex);
    TileCell black[WISP_TURNS(WISP_AROUND(1))], own[2] = TileCell[2](ownCell(n, 0), ownCell(n, 1));
    [[unroll]] for (int k = 0; k < black.length(); ++k) if (isTurn(k, countAround(1))) black[k] = cellAround(n + k * WISP_THREADS, 1, 1);
    fillTile();
    barrier();
    [[unroll]] for (int k = 0; k < black.length(); ++k) if (isTurn(k, countAround(1))) relaxCell(black[k]);
    barrier();
    restrictTile(own);
}
