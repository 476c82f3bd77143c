// SPDX-License-Identifier: MIT
// What solves one cell's own pressure equation when added to its q: (b - A q) / sum_f w_f; q becomes 0 in a cell without open
// faces. Needs shared/neighbours.glsl.
float relaxation(PressureLevel l, ivec3 C, int i, float b) {
    if (isRegular(l, C)) return (b - regularApplied(l, C, i)) * (1.0 / float(kNeighbours));
    vec4 w = weightsAt(l, C);
    return w.w > 0.0 ? (b - weightedApplied(l, C, i, w)) / w.w : -WISP_VALUE(i);
}
