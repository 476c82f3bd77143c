// SPDX-License-Identifier: MIT
// The solution of one cell's own pressure equation. Needs shared/neighbours.glsl.
layout(binding = 6, scalar) readonly buffer Regular { uint regular[]; };  // see coarse_openness.comp

// (sum_f w_f q_n - H^2 div) / sum_f w_f, which solves the cell's own equation. Most cells have six weights of 1 and all
// their neighbours: they need no weights, which are half of the traffic.
float relaxed(ivec3 C, int i) {
    if (regular[i] != 0u) {
        int row = sim.pressureCells.x, plane = row * sim.pressureCells.y;
        float sum = pressureIn[i - 1] + pressureIn[i + 1] + pressureIn[i - row] + pressureIn[i + row] + pressureIn[i - plane] +
                    pressureIn[i + plane];
        return (sum - spacing2() * divergence[i]) / 6.0;
    }
    vec4 w = weightsAt(C);
    return w.w > 0.0 ? (weightedNeighbours(C, w) - spacing2() * divergence[i]) / w.w : 0.0;
}
