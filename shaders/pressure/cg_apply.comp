#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
#include "shared/reduce.glsl"
// w = A p, 0 in cells without an equation, and the sums p.w, p.r, r.w, w.w.
layout(binding = 2, scalar) readonly buffer Direction { float direction[]; };
layout(binding = 3, scalar) readonly buffer Remainder { float remainder[]; };
layout(binding = 4, scalar) writeonly buffer AppliedOut { float appliedOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; float tolerance; };
#define WISP_VALUE(i) direction[i]
#include "shared/neighbours.glsl"
#include "shared/stop.glsl"
#include "shared/dirichlet.glsl"

void main() {
    if (converged(tolerance)) return;
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (int n = firstValue(); n < noUnroll(cellCount(level)); n += nextValue()) {
        int i = level.first + n;
        ivec3 C = storedCell(level, n);
        float p = direction[i], r = remainder[i], w = kDirichletCells && diagonal(level, C) == 0.0 ? 0.0 : applied(level, C, i);
        appliedOut[i] = w;
        v[0] += p * w;
        v[1] += p * r;
        v[2] += r * w;
        v[3] += w * w;
    }
    reduceGroup(v);
}
