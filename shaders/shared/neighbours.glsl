// SPDX-License-Identifier: MIT
// Applies the matrix of the pressure equation to `WISP_VALUE(i)`, a macro that reads index i. Needs shared/poisson.glsl.
#include "shared/regular.glsl"

// (A q)_C = sum_f w_f (q_C - q_n), from differences of neighbours, which are nearly exact. 6 q - sum q_n would contain the rounding error
// of 6 q, which hides small residuals.
float regularApplied(PressureLevel l, ivec3 C, int i) {
    int evens = (l.cells.x + 1) / 2, row = l.cells.x, plane = row * l.cells.y;
    int left = i + ((C.x & 1) == 1 ? -evens : evens - 1);
    float q = WISP_VALUE(i);
    float sum = (q - WISP_VALUE(left)) + (q - WISP_VALUE(left + 1)) + (q - WISP_VALUE(i - row)) + (q - WISP_VALUE(i + row));
    return kFlat ? sum : sum + (q - WISP_VALUE(i - plane)) + (q - WISP_VALUE(i + plane));
}

float weightedApplied(PressureLevel l, ivec3 C, int i, vec4 w) {
    float q = WISP_VALUE(i), sum = 0.0;
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        ivec3 face = C + unit(axis), low = wrappedOnce(C - unit(axis), l.cells), high = wrappedOnce(face, l.cells);
        sum += w[axis] * (q - (low[axis] >= 0 ? WISP_VALUE(cellIndex(l, low)) : 0.0));
        sum += weightsAt(l, face)[axis] * (q - (high[axis] < l.cells[axis] ? WISP_VALUE(cellIndex(l, high)) : 0.0));
    }
    return sum;
}

float applied(PressureLevel l, ivec3 C, int i) {
    return isRegular(l, C) ? regularApplied(l, C, i) : weightedApplied(l, C, i, weightsAt(l, C));
}

// Sum of the weights of the cell, the diagonal of A.
float diagonal(PressureLevel l, ivec3 C) { return isRegular(l, C) ? float(kNeighbours) : weightsAt(l, C).w; }
