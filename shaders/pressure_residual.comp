#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/poisson.glsl"
#include "shared/reduce.glsl"
// Sums over fluid cells: r^2, b^2, b, 1 with b = -H^2 div and r = b - sum_f w_f (q - q_n).
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
#include "shared/neighbours.glsl"

void main() {
    ivec3 C = linearCell(sim.pressureCells);
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    vec4 w = outside(C, sim.pressureCells) ? vec4(0.0) : weightsAt(C);
    if (w.w > 0.0) {
        int i = pressureIndex(C);
        float b = -spacing2() * divergence[i];
        float r = b - w.w * pressureIn[i] + weightedNeighbours(C, w);
        v[0] = r * r;
        v[1] = b * b;
        v[2] = b;
        v[3] = 1.0;
    }
    foldGroup(v);
}
