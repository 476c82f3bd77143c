#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
#include "shared/reduce.glsl"
// Divergence after projection over the pressure grid's fluid cells: sums of div^2 and 1, maximum of |div|.
layout(binding = 3, scalar) readonly buffer Weights { vec4 weights[]; };

void main() {
    ivec3 size = sim.pressureCells + 1;
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    ivec3 C = numberedCell(firstValue(), sim.pressureCells), way = numberedCell(nextValue(), sim.pressureCells);
    for (int n = firstValue(); n < rolled(cellsOf(sim.pressureCells)); n += nextValue(), C = cellAfter(C, way, sim.pressureCells)) {
        if (weights[(C.z * size.y + C.y) * size.x + C.x].w == 0.0) continue;
        float div = blockDivergence(C, sim.ratio, false);
        v[0] += div * div;
        v[1] += 1.0;
        v[6] = max(v[6], abs(div));
    }
    foldGroup(v);
}
