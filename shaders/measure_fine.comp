#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
#include "shared/reduce.glsl"
// Sums over fine fluid cells: div^2, 1, |u|^2 / 2, and how many faces are not finite; maxima: |div|, |u| at the centre.
layout(binding = 3) uniform sampler3D velocityNew;  // after advection: only looked at for NaN

void add(inout float v[8], ivec3 c) {
    vec3 after = texelFetch(velocityNew, c, 0).xyz, low = texelFetch(velocity, c, 0).xyz, high = low;
    if (any(isnan(after)) || any(isinf(after))) v[3] += 1.0;
    float open = texelFetch(openness, c, 0).w;
    if (open == 0.0) return;
    for (int axis = 0; axis < kAxes; ++axis) high[axis] = texelFetch(velocity, c + unit(axis), 0)[axis];
    // Most cells are wholly open, and between others. Of what the box closes, their openness says nothing.
    bool cut = open < 1.0 || any(equal(c, ivec3(0))) || any(equal(c + 1, sim.cells));
    vec3 change = high - low, u = 0.5 * (low + high);
    float div = (change.x + change.y + change.z) / sim.h;
    for (int once = 0; once < rolledIf(cut, 1); ++once) if (cut) div = blockDivergence(c, 1, false);
    v[0] += div * div;
    v[1] += 1.0;
    v[2] += 0.5 * dot(u, u);
    v[6] = max(v[6], abs(div));
    v[7] = max(v[7], length(u));
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    ivec3 c = numberedCell(firstValue(), sim.cells), way = numberedCell(nextValue(), sim.cells);
    for (int n = firstValue(); n < rolled(cellsOf(sim.cells)); n += nextValue(), c = cellAfter(c, way, sim.cells)) add(v, c);
    foldGroup(v);
}
