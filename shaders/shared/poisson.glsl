// SPDX-License-Identifier: MIT
// The coarse pressure equation sum_f w_f (q - q_n) = -H^2 div, on linear buffers. q = p dt / rho [m^2/s], outside the box 0.
// Needs shared/grid.glsl.
layout(binding = 1, scalar) readonly buffer Weights { vec4 weights[]; };          // see coarse_openness.comp
layout(binding = 2, scalar) readonly buffer Divergence { float divergence[]; };  // [1/s]

float spacing2() { float H = float(sim.ratio) * sim.h; return H * H; }
int pressureIndex(ivec3 C) { return (C.z * sim.pressureCells.y + C.y) * sim.pressureCells.x + C.x; }
vec4 weightsAt(ivec3 C) {
    ivec3 size = sim.pressureCells + 1;
    return weights[(C.z * size.y + C.y) * size.x + C.x];
}
