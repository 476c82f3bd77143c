#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2, local_size_z_id = 17) in;
// Half a sweep of successive over-relaxation, in place on the cells of one colour (Gauss-Seidel for omega = 1).
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 3, scalar) buffer PressureIn { float pressureIn[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; float tolerance; float omega; int colour; };
#define WISP_VALUE(i) pressureIn[i]
#include "shared/neighbours.glsl"
#include "shared/relax.glsl"
#include "shared/stop.glsl"

void main() {
    ivec3 C = cell();
    // One thread for each pair of cells along x. With three colours, one thread for each cell.
    if (colourCount(level, kPeriodic) == 2) C.x = 2 * C.x + ((C.y + C.z + colour) & 1);
    else if (colourOf(level, kPeriodic, C) != colour) return;
    if (outside(C, level.cells) || converged(tolerance)) return;
    int i = cellIndex(level, C);
    pressureIn[i] += omega * relaxation(level, C, i, rhs[i]);
}
