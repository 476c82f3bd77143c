#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2, local_size_z_id = 17) in;
// One Jacobi sweep: q = (b + sum_f w_f q_n) / sum_f w_f.
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 4, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; float tolerance; };
#define WISP_VALUE(i) pressureIn[i]
#include "shared/neighbours.glsl"
#include "shared/relax.glsl"
#include "shared/stop.glsl"

void main() {
    ivec3 C = cell();
    if (outside(C, level.cells)) return;
    int i = cellIndex(level, C);
    pressureOut[i] = converged(tolerance) ? pressureIn[i] : pressureIn[i] + relaxation(level, C, i, rhs[i]);
}
