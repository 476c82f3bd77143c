#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// Like mg_down.comp, but starts from `pressureIn`.
#include "shared/pressure_level.h"
#include "shared/tile.h"
#extension GL_EXT_scalar_block_layout : require
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 4, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(binding = 7, scalar) writeonly buffer RhsOut { float rhsOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; PressureLevel coarse; float tolerance; float omega; };
#define WISP_LAYERS 4
#define WISP_THREADS WISP_TILE_THREADS
#include "shared/tile.glsl"
#include "shared/stop.glsl"
#include "shared/tile_fill.glsl"
#include "shared/tile_restrict.glsl"

void main() {
    int n = int(gl_LocalInvocationIndex);
    TileCell red[WISP_TURNS(WISP_AROUND(2))], black[WISP_TURNS(WISP_AROUND(1))], own[2] = TileCell[2](ownCell(n, 0), ownCell(n, 1));
    [[unroll]] for (int k = 0; k < red.length(); ++k) if (isTurn(k, countAround(2))) red[k] = cellAround(n + k * WISP_THREADS, 0, 2);
    [[unroll]] for (int k = 0; k < black.length(); ++k) if (isTurn(k, countAround(1))) black[k] = cellAround(n + k * WISP_THREADS, 1, 1);
    fillTile();
    barrier();
    if (converged(tolerance)) {
        storeTile();
        return;
    }
    [[unroll]] for (int k = 0; k < red.length(); ++k) if (isTurn(k, countAround(2))) relaxCell(red[k]);
    barrier();
    [[unroll]] for (int k = 0; k < black.length(); ++k) if (isTurn(k, countAround(1))) relaxCell(black[k]);
    barrier();
    restrictTile(own);
}
