// SPDX-License-Identifier: MIT
// The change of q that solves the cell's own pressure equation: (b - A q) / sum_f w_f. In a cell without open faces q becomes 0. Needs
// shared/neighbours.glsl.
float relaxation(PressureLevel l, ivec3 C, int i, float b) {
    if (isRegular(l, C)) return (b - regularApplied(l, C, i)) * (1.0 / float(kNeighbours));
    vec4 w = weightsAt(l, C);
    return w.w > 0.0 ? (b - weightedApplied(l, C, i, w)) / w.w : -WISP_VALUE(i);
}
