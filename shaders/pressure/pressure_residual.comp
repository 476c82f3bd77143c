#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
#include "shared/reduce.glsl"
// Sums over the cells that have weights: r^2, b^2, b, 1, q with r = b - sum_f w_f (q - q_n).
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; };
#define WISP_VALUE(i) pressureIn[i]
#include "shared/neighbours.glsl"

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    // slot: the cells in the order of storage; way: distance from one cell to the next (slots of rows, rows, layers).
    ivec3 slot = numberedCell(firstValue(), level.cells), way = numberedCell(nextValue(), level.cells);
    for (int n = firstValue(); n < noUnroll(cellCount(level)); n += nextValue(), slot = cellAfter(slot, way, level.cells)) {
        ivec3 C = ivec3(cellOfSlot(level, slot.x), slot.yz);
        int i = level.first + n;
        bool regular = isRegular(level, C), counts = regular;
        float b = rhs[i], r = b;
        if (regular) r -= regularApplied(level, C, i);
        for (int once = 0; once < noUnrollIf(!regular, 1); ++once)
            if (!regular) {
                vec4 w = weightsAt(level, C);
                counts = w.w != 0.0;
                r -= weightedApplied(level, C, i, w);
            }
        if (!counts) continue;
        v[0] += r * r;
        v[1] += b * b;
        v[2] += b;
        v[3] += 1.0;
        v[4] += pressureIn[i];
    }
    reduceGroup(v);
}
