#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// A whole sweep of successive over-relaxation: red cells, then black ones (see red_black_sor.comp). Into another buffer,
// because neighbouring groups read the old values.
#include "shared/pressure_level.h"
#extension GL_EXT_scalar_block_layout : require
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 4, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; float tolerance; float omega; };
#include "shared/tile.glsl"
#include "shared/stop.glsl"

void fillTile() {
    float q[(kCells + WISP_TILE_THREADS - 1) / WISP_TILE_THREADS];
    [[unroll]] for (int k = 0; k < q.length(); ++k) {
        ivec3 stored = tileFirst() + storedPlace(int(gl_LocalInvocationIndex) + k * WISP_TILE_THREADS), C = nearest(level, stored);
        q[k] = pressureIn[cellIndex(level, C)];
        if (stored != C) q[k] = 0.0;
    }
    [[unroll]] for (int k = 0; k < q.length(); ++k) {
        int n = int(gl_LocalInvocationIndex) + k * WISP_TILE_THREADS;
        if (n < kCells) tile[n] = q[k];
    }
}
#include "shared/tile_sweep.glsl"

void main() {
    if (converged(tolerance)) return;
    sweepTile();
    storeTile();
}
