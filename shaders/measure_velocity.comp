#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
#include "shared/reduce.glsl"
// Sums over fine fluid cells: div^2, 1, |u|^2 / 2, and how many texels are not finite; over fluid cells of the pressure grid: div^2, 1. Maxima: |div| of those, |u| at
// the centres of fine ones. A thread takes pressure cells with all that is in them: their divergence is the mean of that.
layout(binding = 3) uniform sampler3D velocityNew;  // after advection: only looked at for NaN
layout(binding = 4, scalar) readonly buffer Weights { vec4 weights[]; };  // see coarse_openness.comp

// Adds a fine cell, and returns its divergence.
float add(inout float v[8], ivec3 c) {
    vec3 after = texelFetch(velocityNew, c, 0).xyz, low = texelFetch(velocity, c, 0).xyz, high = low;
    if (any(isnan(after)) || any(isinf(after))) v[3] += 1.0;
    for (int axis = 0; axis < kAxes; ++axis) high[axis] = texelFetch(velocity, c + unit(axis), 0)[axis];
    float open = texelFetch(openness, c, 0).w;
    // Most cells are wholly open, and between others. Of what the box closes, their openness says nothing.
    bool cut = open < 1.0 || any(equal(c, ivec3(0))) || any(equal(c + 1, sim.cells));
    vec3 change = high - low, u = 0.5 * (low + high);
    float div = (change.x + change.y + change.z) / sim.h;
    for (int once = 0; once < rolledIf(cut, 1); ++once) if (cut) div = blockDivergence(c, 1, false);
    if (open == 0.0) return div;
    v[0] += div * div;
    v[1] += 1.0;
    v[2] += 0.5 * dot(u, u);
    v[7] = max(v[7], length(u));
    return div;
}

void addBlock(inout float v[8], ivec3 C) {
    float sum = 0.0, r = float(sim.ratio);
    ivec3 low = C * sim.ratio, high = min(low + sim.ratio, sim.cells), c;
    for (c.z = low.z; c.z < high.z; ++c.z)
        for (c.y = low.y; c.y < high.y; ++c.y)
            for (c.x = low.x; c.x < high.x; ++c.x) sum += add(v, c);
    ivec3 size = sim.pressureCells + 1;
    if (weights[(C.z * size.y + C.y) * size.x + C.x].w == 0.0) return;
    float div = sum / (kFlat ? r * r : r * r * r);  // nothing flows where a block reaches past the box
    v[4] += div * div;
    v[5] += 1.0;
    v[6] = max(v[6], abs(div));
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    ivec3 C = numberedCell(firstValue(), sim.pressureCells), way = numberedCell(nextValue(), sim.pressureCells);
    for (int n = firstValue(); n < rolled(cellsOf(sim.pressureCells)); n += nextValue(), C = cellAfter(C, way, sim.pressureCells)) addBlock(v, C);
    foldGroup(v);
}
