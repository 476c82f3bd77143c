#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
#include "shared/reduce.glsl"
// Sums over cells with weight: r^2, b^2, b, 1, q with r = b - sum_f w_f (q - q_n).
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; };
#define WISP_VALUE(i) pressureIn[i]
#include "shared/neighbours.glsl"

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (int n = firstValue(); n < rolled(cellCount(level)); n += nextValue()) {
        ivec3 C = storedCell(level, n);
        if (diagonal(level, C) == 0.0) continue;
        int i = level.first + n;
        float b = rhs[i], r = b - applied(level, C, i);
        v[0] += r * r;
        v[1] += b * b;
        v[2] += b;
        v[3] += 1.0;
        v[4] += pressureIn[i];
    }
    foldGroup(v);
}
