#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2, local_size_z_id = 17) in;
// The first half sweep of a cycle from zero: q = omega b / sum_f w_f on cells of the first colour. It needs no neighbours.
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 3, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; float tolerance; float omega; };
#define WISP_VALUE(i) 0.0
#include "shared/neighbours.glsl"
#include "shared/start.glsl"
#include "shared/stop.glsl"

void main() {
    ivec3 C = cell();
    if (outside(C, level.cells) || converged(tolerance)) return;
    int i = cellIndex(level, C);
    pressureOut[i] = started(level, C, rhs[i], diagonal(level, C), omega);
}
