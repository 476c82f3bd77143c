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
    vec3 after = texelFetch(velocityNew, c, 0).xyz;
    if (any(isnan(after)) || any(isinf(after))) v[3] += 1.0;
    if (texelFetch(openness, c, 0).w == 0.0) return;
    float div = blockDivergence(c, 1, false);
    vec3 u = 0.5 * texelFetch(velocity, c, 0).xyz;
    for (int axis = 0; axis < 3; ++axis) u[axis] += 0.5 * texelFetch(velocity, c + unit(axis), 0)[axis];
    v[0] += div * div;
    v[1] += 1.0;
    v[2] += 0.5 * dot(u, u);
    v[6] = max(v[6], abs(div));
    v[7] = max(v[7], length(u));
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (int n = firstValue(); n < rolled(cellsOf(sim.cells)); n += nextValue()) add(v, numberedCell(n, sim.cells));
    foldGroup(v);
}
