// SPDX-License-Identifier: MIT
// The solution of one cell's own pressure equation, (b + sum_f w_f q_n) / sum_f w_f. Needs shared/neighbours.glsl.
float relaxed(PressureLevel l, ivec3 C, int i, float b) {
    if (isRegular(l, C)) return (regularNeighbours(l, C, i) + b) / 6.0;
    vec4 w = weightsAt(l, C);
    return w.w > 0.0 ? (weightedNeighbours(l, C, w) + b) / w.w : 0.0;
}
