#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/poisson.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2) in;
// One Jacobi sweep: q = (sum_f w_f q_n - H^2 div) / sum_f w_f.
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 4, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(push_constant, scalar) uniform Push { float tolerance; };
#include "shared/neighbours.glsl"
#include "shared/relax.glsl"
#include "shared/stop.glsl"

void main() {
    ivec3 C = cell();
    if (outside(C, sim.pressureCells)) return;
    int i = pressureIndex(C);
    pressureOut[i] = converged(tolerance) ? pressureIn[i] : relaxed(C, i);
}
