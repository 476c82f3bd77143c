#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
#include "shared/reduce.glsl"
// Sums over fine fluid cells: div^2, 1, |u|^2 / 2, and the number of texels that are not finite. Sums over fluid cells of the pressure
// grid: div^2, 1. Maxima: |div| of pressure cells, |u| at the centres of fine cells. A thread takes pressure cells with all fine cells in
// them: their divergence is the mean of the fine divergences.
layout(binding = 3) uniform sampler3D velocityNew;  // after advection: only checked for NaN and infinity
layout(binding = 4, scalar) readonly buffer Weights { vec4 weights[]; };  // see coarse_aperture.comp

// Adds a fine cell, and returns its divergence.
float add(inout float v[8], ivec3 c) {
    vec3 after = texelFetch(velocityNew, c, 0).xyz, low = texelFetch(velocity, c, 0).xyz, high = low;
    if (any(isnan(after)) || any(isinf(after))) v[3] += 1.0;
    vec4 open = texelFetch(aperture, c, 0);
    vec3 lowOpen = open.xyz, highOpen = lowOpen;
    for (int axis = 0; axis < kAxes; ++axis) {
        high[axis] = texelFetch(velocity, c + unit(axis), 0)[axis];
        highOpen[axis] = texelFetch(aperture, c + unit(axis), 0)[axis];
    }
    vec3 change = highOpen * high - lowOpen * low, u = 0.5 * (low + high);
    bool cut = any(lessThan(min(lowOpen, highOpen), vec3(1.0)));
    for (int once = 0; once < noUnrollIf(cut, 1); ++once)
        if (cut)
            for (int axis = 0; axis < kAxes; ++axis)
                change[axis] += (1.0 - highOpen[axis]) * solidVelocityAt(c + unit(axis), axis) -
                    (1.0 - lowOpen[axis]) * solidVelocityAt(c, axis);
    float div = (change.x + change.y + change.z) / sim.h;
    if (open.w == 0.0) return div;
    v[0] += div * div;
    v[1] += 1.0;
    v[2] += 0.5 * dot(u, u);
    v[7] = max(v[7], length(u));
    return div;
}

void addBlock(inout float v[8], ivec3 C) {
    float sum = 0.0;
    const int layers = kFlat ? 1 : kRatio, cells = kRatio * kRatio * layers;
    for (int n = 0; n < cells; ++n) {
        ivec3 c = C * kRatio + ivec3(n % kRatio, n / kRatio % kRatio, n / (kRatio * kRatio));
        if (all(lessThan(c, sim.cells))) sum += add(v, c);
    }
    ivec3 size = sim.pressureCells + 1;
    if (weights[(C.z * size.y + C.y) * size.x + C.x].w == 0.0) return;
    float div = sum / float(cells);  // there is no flow where a block extends past the box
    v[4] += div * div;
    v[5] += 1.0;
    v[6] = max(v[6], abs(div));
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    ivec3 C = numberedCell(firstValue(), sim.pressureCells), way = numberedCell(nextValue(), sim.pressureCells);
    for (int n = firstValue(); n < noUnroll(cellsOf(sim.pressureCells)); n += nextValue(), C = cellAfter(C, way, sim.pressureCells))
        addBlock(v, C);
    reduceGroup(v);
}
