#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/poisson.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2) in;
// Half a sweep of successive over-relaxation, in place on the cells of one colour (Gauss-Seidel for omega = 1).
layout(binding = 3, scalar) buffer PressureIn { float pressureIn[]; };
layout(push_constant, scalar) uniform Push { float tolerance; float omega; int colour; };
#include "shared/neighbours.glsl"
#include "shared/relax.glsl"
#include "shared/stop.glsl"

void main() {
    ivec3 C = cell();  // one thread for each pair of cells along x
    C.x = 2 * C.x + ((C.y + C.z + colour) & 1);
    if (outside(C, sim.pressureCells) || converged(tolerance)) return;
    int i = pressureIndex(C);
    pressureIn[i] += omega * (relaxed(C, i) - pressureIn[i]);
}
