// SPDX-License-Identifier: MIT
// Weights of coarse levels: the open area of a coarse face is that of the (up to four) faces below it, and its weight that
// area over the distance of the centres beside it. Right for cells cut short too.
// Needs `vec4 fineWeights(PressureLevel, ivec3, bool)`, which gets what the others are told of `made`.
#include "shared/dirichlet.glsl"

float coarseWeight(PressureLevel fine, PressureLevel coarse, ivec3 C, int axis, bool made) {
    ivec3 first = 2 * C, t1 = unit((axis + 1) % 3), t2 = unit((axis + 2) % 3), last = fine.cells + unit(axis) - 1;
    first[axis] = min(first[axis], fine.cells[axis]);
    float sum = 0.0;
    [[unroll]] for (int n = 0; n < 4; ++n) {
        ivec3 f = first + (n & 1) * t1 + (n >> 1) * t2;
        float w = fineWeights(fine, min(f, last), made)[axis];  // looked at even if it is not there: loads wait for no branch
        sum += any(greaterThan(f, last)) ? 0.0 : w;
    }
    return (kFlat ? 0.5 : 0.25) * sum * centreDistance(fine, axis, first[axis], isPeriodic(axis)) /
        centreDistance(coarse, axis, C[axis], isPeriodic(axis));
}

// Without an equation, but with an open face.
bool isDirichlet(PressureLevel fine, ivec3 c, bool made) {
    vec4 w = fineWeights(fine, c, made);
    if (w.w > 0.0) return false;
    bool open = any(greaterThan(w.xyz, vec3(0.0)));
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) open = open || fineWeights(fine, c + unit(axis), made)[axis] > 0.0;
    return open;
}

// A coarse cell is a Dirichlet cell where any below it is one (McAdams, Sifakis, Teran 2010): it would place q = 0 wrong by up to a cell,
// and the
// correction would overshoot there.
bool hasDirichlet(PressureLevel fine, ivec3 C, bool made) {
    bool found = false;
    [[unroll]] for (int n = 0; n < kCorners; ++n) {
        ivec3 c = 2 * C + ivec3(n & 1, (n >> 1) & 1, n >> 2);
        found = found || (!outside(c, fine.cells) && isDirichlet(fine, c, made));
    }
    return found;
}

// Those of the faces on the low side of texel C, and of a cell their sum and the high ones' in w. `regular`: a cell with a
// neighbour on each side and weights of 1.
vec4 coarseTexel(PressureLevel fine, PressureLevel coarse, ivec3 C, bool made, out bool regular) {
    vec3 low = vec3(0.0), high = vec3(0.0);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        low[axis] = coarseWeight(fine, coarse, C, axis, made);
        high[axis] = coarseWeight(fine, coarse, C + unit(axis), axis, made);
    }
    bool isCell = !outside(C, coarse.cells) && !(kDirichletCells && hasDirichlet(fine, C, made));
    regular = isCell;
    vec4 w = vec4(0.0);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        if (outside(C, coarse.cells + unit(axis))) continue;
        w[axis] = low[axis];
        if (!isCell) continue;
        if (!isPeriodic(axis) || coarse.cells[axis] > 1) w.w += low[axis] + high[axis];  // else the cell meets itself
        regular = regular && low[axis] == 1.0 && high[axis] == 1.0 && C[axis] > 0 && C[axis] + 1 < coarse.cells[axis];
    }
    return w;
}
