#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2) in;
// With no open side the pressure is known up to a constant and the right-hand side must have no mean over the fluid cells.
layout(binding = 1, scalar) readonly buffer Weights { vec4 weights[]; };
layout(binding = 2, scalar) buffer DivergenceInOut { float divergence[]; };
layout(binding = 3, scalar) readonly buffer Sums { float sums[]; };  // of pressure_residual.comp

void main() {
    ivec3 C = cell(), size = sim.pressureCells + 1;
    if (outside(C, sim.pressureCells)) return;
    float H = float(sim.ratio) * sim.h;
    int i = (C.z * sim.pressureCells.y + C.y) * sim.pressureCells.x + C.x;
    if (weights[(C.z * size.y + C.y) * size.x + C.x].w > 0.0) divergence[i] += sums[2] / (max(sums[3], 1.0) * H * H);
}
