#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#include "shared/reduce.glsl"
#include "shared/grid.glsl"
#include "shared/stored_cells.glsl"
// Sums over scalar cells: density outside solids, density inside, number of densities and number of temperatures that are not finite.
layout(binding = 1) uniform sampler3D scalars;
layout(binding = 2) uniform sampler3D aperture;

void add(inout float v[8], ivec3 c) {
    vec2 s = texelFetch(scalars, scalarTexel(c), 0).xy;
    bool solid = texelFetch(aperture, texelOf(c / kScalarRatio), 0).w == 0.0;
    v[0] += solid ? 0.0 : s.x;
    v[1] += solid ? s.x : 0.0;
    if (isnan(s.x) || isinf(s.x)) v[2] += 1.0;
    if (isnan(s.y) || isinf(s.y)) v[3] += 1.0;
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    const int edge = WISP_BRICK_EDGE * kScalarRatio;
    if (kSparse) {
        for (uint n = uint(firstValue()); n < storedCells(edge); n += uint(nextValue())) {
            ivec3 c = storedCell(n, edge);
            if (!outside(c, sim.scalarCells)) add(v, c);
        }
    } else {
        ivec3 c = numberedCell(firstValue(), sim.scalarCells), way = numberedCell(nextValue(), sim.scalarCells);
        for (int n = firstValue(); n < noUnroll(cellsOf(sim.scalarCells)); n += nextValue(), c = cellAfter(c, way, sim.scalarCells))
            add(v, c);
    }
    reduceGroup(v);
}
