#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/reduce.glsl"
// Sums over scalar cells: density outside solids, density inside, and how many densities and how many temperatures are not finite.
layout(binding = 1) uniform sampler3D scalars;
layout(binding = 2) uniform sampler3D openness;

void main() {
    ivec3 c = linearCell(sim.scalarCells);
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    if (!outside(c, sim.scalarCells)) {
        vec2 s = texelFetch(scalars, c, 0).xy;
        bool solid = texelFetch(openness, c / kScalarRatio, 0).w == 0.0;
        v[solid ? 1 : 0] = s.x;
        v[2] = isnan(s.x) || isinf(s.x) ? 1.0 : 0.0;
        v[3] = isnan(s.y) || isinf(s.y) ? 1.0 : 0.0;
    }
    foldGroup(v);
}
