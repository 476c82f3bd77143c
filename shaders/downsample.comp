#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
layout(local_size_x = 8, local_size_y = 4, local_size_z = 4) in;
#include "shared/pressure_level.h"
#include "shared/regular.glsl"
// Right-hand side b = -H^2 div of the coarse solve [m^2/s]: div is the volume average of the fine divergences, moving solids included
// (Lentine, Zheng, Fedkiw 2010, step 2).
layout(binding = 3, scalar) writeonly buffer RhsOut { float rhsOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; };

void main() {
    ivec3 C = cell();
    if (outside(C, level.cells)) return;
    float H = float(sim.ratio) * sim.h;
    rhsOut[cellIndex(level, C)] = -H * H * blockDivergence(C, sim.ratio, isRegular(level, C));
}
