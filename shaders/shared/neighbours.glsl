// SPDX-License-Identifier: MIT
// Sums over a cell's neighbours, of `WISP_VALUE(i)`, a macro that reads place i. Needs shared/poisson.glsl.
layout(binding = 6, scalar) readonly buffer Regular { uint regular[]; };  // see coarse_openness.comp

// Whether the cell has six neighbours and weights of 1: most have, and need no weights, which are half of the traffic.
bool isRegular(PressureLevel l, ivec3 C) {
    int slot = slotOf(l, C.x);
    return (regular[regularIndex(l, slot, C.y, C.z)] >> (slot % WISP_REGULAR_BITS) & 1u) != 0u;
}

float regularNeighbours(PressureLevel l, ivec3 C, int i) {
    int evens = (l.cells.x + 1) / 2, row = l.cells.x, plane = row * l.cells.y;
    int left = i + ((C.x & 1) == 1 ? -evens : evens - 1);
    return WISP_VALUE(left) + WISP_VALUE(left + 1) + WISP_VALUE(i - row) + WISP_VALUE(i + row) + WISP_VALUE(i - plane) +
           WISP_VALUE(i + plane);
}

float weightedNeighbours(PressureLevel l, ivec3 C, vec4 w) {
    float sum = 0.0;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        ivec3 low = C - unit(axis), high = C + unit(axis);
        if (low[axis] >= 0) sum += w[axis] * WISP_VALUE(cellIndex(l, low));
        if (high[axis] < l.cells[axis]) sum += weightsAt(l, high)[axis] * WISP_VALUE(cellIndex(l, high));
    }
    return sum;
}

// (A q)_C = sum_f w_f (q_C - q_n); 0 in a cell without open faces.
float applied(PressureLevel l, ivec3 C, int i) {
    if (isRegular(l, C)) return 6.0 * WISP_VALUE(i) - regularNeighbours(l, C, i);
    vec4 w = weightsAt(l, C);
    return w.w > 0.0 ? w.w * WISP_VALUE(i) - weightedNeighbours(l, C, w) : 0.0;
}

// Sum of the cell's weights, the diagonal of A.
float diagonal(PressureLevel l, ivec3 C) { return isRegular(l, C) ? 6.0 : weightsAt(l, C).w; }
