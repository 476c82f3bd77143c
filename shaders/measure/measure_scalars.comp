#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/reduce.glsl"
// Sums over scalar cells: density outside solids, density inside, number of densities and number of temperatures that are not finite.
layout(binding = 1) uniform sampler3D scalars;
layout(binding = 2) uniform sampler3D aperture;

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    ivec3 c = numberedCell(firstValue(), sim.scalarCells), way = numberedCell(nextValue(), sim.scalarCells);
    for (int n = firstValue(); n < noUnroll(cellsOf(sim.scalarCells)); n += nextValue(), c = cellAfter(c, way, sim.scalarCells)) {
        vec2 s = texelFetch(scalars, c, 0).xy;
        bool solid = texelFetch(aperture, c / kScalarRatio, 0).w == 0.0;
        v[0] += solid ? 0.0 : s.x;
        v[1] += solid ? s.x : 0.0;
        if (isnan(s.x) || isinf(s.x)) v[2] += 1.0;
        if (isnan(s.y) || isinf(s.y)) v[3] += 1.0;
    }
    reduceGroup(v);
}
