#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2) in;
// Right-hand side of the coarse solve [1/s]: volume average of the fine divergences, moving solids included
// (Lentine, Zheng, Fedkiw 2010, step 2).
layout(binding = 3, scalar) writeonly buffer DivergenceOut { float divergenceOut[]; };

void main() {
    ivec3 C = cell();
    if (outside(C, sim.pressureCells)) return;
    divergenceOut[(C.z * sim.pressureCells.y + C.y) * sim.pressureCells.x + C.x] = blockDivergence(C, sim.ratio);
}
