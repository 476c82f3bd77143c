#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2) in;
// r = b - A q, 0 in cells without open faces. Computed anew in every iteration, because an updated r would drift from b - A q by rounding.
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 4, scalar) writeonly buffer RemainderOut { float remainderOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; };
#define WISP_VALUE(i) pressureIn[i]
#include "shared/neighbours.glsl"

void main() {
    ivec3 C = cell();
    if (outside(C, level.cells)) return;
    int i = cellIndex(level, C);
    remainderOut[i] = diagonal(level, C) > 0.0 ? rhs[i] - applied(level, C, i) : 0.0;
}
