#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// Two sweeps of successive over-relaxation, each first on red cells and then on black cells (see red_black_sor.comp). Writes to another
// buffer, because neighbouring groups read the old values.
#include "shared/pressure_level.h"
#include "shared/tile.h"
#extension GL_EXT_scalar_block_layout : require
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 4, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; float tolerance; float omega; };
#define WISP_LAYERS 4
#define WISP_THREADS WISP_SWEEPS_THREADS
#include "shared/tile.glsl"
#include "shared/stop.glsl"
#include "shared/tile_fill.glsl"

void main() {
    if (converged(tolerance)) return;
    int thread = int(gl_LocalInvocationIndex);
    // The number of red cells is rounded down: the last four of 1540 are at an edge, from where half sweeps do not reach the tile so soon.
    TileCell red[WISP_AROUND(3) / WISP_THREADS], black[WISP_TURNS(WISP_AROUND(2))];
    [[unroll]] for (int k = 0; k < red.length(); ++k) if (isTurn(k, countAround(3))) red[k] = cellAround(thread + k * WISP_THREADS, 0, 3);
    [[unroll]] for (int k = 0; k < black.length(); ++k)
        if (isTurn(k, countAround(2))) black[k] = cellAround(thread + k * WISP_THREADS, 1, 2);
    fillTile();
    for (int sweep = 0; sweep < 2; ++sweep) {
        barrier();
        [[unroll]] for (int k = 0; k < red.length(); ++k) if (isTurn(k, countAround(3))) relaxCell(red[k]);
        barrier();
        [[unroll]] for (int k = 0; k < black.length(); ++k) if (isTurn(k, countAround(2))) relaxCell(black[k]);
    }
    barrier();
    // There are as many threads as cells in the tile.
    ivec3 p = ivec3(thread % kTile.x, (thread / kTile.x) % kTile.y, thread / (kTile.x * kTile.y)) + kLayers, C = tileFirst() + p;
    if (!outside(C, level.cells)) pressureOut[cellIndex(level, C)] = tile[cellIndex(p)];
}
