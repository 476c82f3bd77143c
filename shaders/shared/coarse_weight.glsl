// SPDX-License-Identifier: MIT
// Weights of coarse levels. The open area of a coarse face is the open area of the (up to four) fine faces below it. Its weight is this
// area over the distance between the centres of the adjacent cells. This is also correct for truncated cells.
// Needs `vec4 fineWeights(PressureLevel, ivec3, bool)`. The functions here pass `made` on to it.
#include "shared/dirichlet.glsl"

float coarseWeight(PressureLevel fine, PressureLevel coarse, ivec3 C, int axis, bool made) {
    ivec3 first = 2 * C, t1 = unit((axis + 1) % 3), t2 = unit((axis + 2) % 3), last = fine.cells + unit(axis) - 1;
    first[axis] = min(first[axis], fine.cells[axis]);
    float sum = 0.0;
    [[unroll]] for (int n = 0; n < 4; ++n) {
        ivec3 f = first + (n & 1) * t1 + (n >> 1) * t2;
        // loaded even if the face does not exist, so that loads do not wait for a branch
        float w = fineWeights(fine, min(f, last), made)[axis];
        sum += any(greaterThan(f, last)) ? 0.0 : w;
    }
    return (kFlat ? 0.5 : 0.25) * sum * centreDistance(fine, axis, first[axis], isPeriodic(axis)) /
        centreDistance(coarse, axis, C[axis], isPeriodic(axis));
}

// Whether a cell has no equation but has an open face.
bool isDirichlet(PressureLevel fine, ivec3 c, bool made) {
    vec4 w = fineWeights(fine, c, made);
    if (w.w > 0.0) return false;
    bool open = any(greaterThan(w.xyz, vec3(0.0)));
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) open = open || fineWeights(fine, c + unit(axis), made)[axis] > 0.0;
    return open;
}

// A coarse cell is a Dirichlet cell if any fine cell below it is one (McAdams, Sifakis, Teran 2010). With an equation it would place q = 0
// up to one cell off, and the correction would overshoot there.
bool hasDirichlet(PressureLevel fine, ivec3 C, bool made) {
    bool found = false;
    [[unroll]] for (int n = 0; n < kCorners; ++n) {
        ivec3 c = 2 * C + ivec3(n & 1, (n >> 1) & 1, n >> 2);
        found = found || (!outside(c, fine.cells) && isDirichlet(fine, c, made));
    }
    return found;
}

// Weights of the low-side faces of texel C (xyz). If C is a cell, w is the sum of the weights of all its faces. `regular`: the cell has a
// neighbour on each side, and all weights are 1.
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
        if (!isPeriodic(axis) || coarse.cells[axis] > 1) w.w += low[axis] + high[axis];  // otherwise the cell is its own neighbour
        regular = regular && low[axis] == 1.0 && high[axis] == 1.0 && C[axis] > 0 && C[axis] + 1 < coarse.cells[axis];
    }
    return w;
}
