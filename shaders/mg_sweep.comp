#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// A whole sweep of successive over-relaxation: red cells, then black ones (see red_black_sor.comp). Into another buffer,
// because neighbouring groups read the old values.
#define WISP_HALO 2
#include "shared/pressure_level.h"
#extension GL_EXT_scalar_block_layout : require
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 4, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; float tolerance; float omega; };
#include "shared/tile.glsl"
#include "shared/tile_load.glsl"
#include "shared/tile_store.glsl"
#include "shared/stop.glsl"

void main() {
    if (converged(tolerance)) return;
    loadTile();
    relaxTile(0, 1);
    relaxTile(1, 0);
    storeTile();
}
