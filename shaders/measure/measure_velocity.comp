#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#include "shared/reduce.glsl"
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
#include "shared/stored_cells.glsl"
#include "shared/velocity_anywhere.glsl"
#include "shared/expansion.glsl"
// div is the divergence less that of gas that is heated. Sums over fine fluid cells: div^2, 1, |u|^2 / 2, and the number of texels that are
// not finite. Sums over fluid cells of the pressure grid: div^2, 1. Maxima: |div| of pressure cells, |u| at the centres of fine cells. A
// thread takes pressure cells with all fine cells in them: their divergence is the mean of the fine divergences. In a sparse simulation
// fine cells are those of active bricks. Elsewhere the coarse velocity counts: a coarse cell has the energy of the fine cells in it.
layout(binding = 3) uniform sampler3D velocityNew;  // after advection: only checked for NaN and infinity
layout(binding = 4, scalar) readonly buffer Weights { vec4 weights[]; };  // see coarse_aperture.comp

// Adds a fine cell, and returns its divergence.
float add(inout float v[8], ivec3 c) {
    vec4 here = texelFetch(velocity, texelOf(c), 0);
    vec3 after = texelFetch(velocityNew, texelOf(c), 0).xyz, low = here.xyz, high = low;
    if (any(isnan(after)) || any(isinf(after))) v[3] += 1.0;
    vec4 open = texelFetch(aperture, texelOf(c), 0);
    vec3 lowOpen = open.xyz, highOpen = lowOpen;
    for (int axis = 0; axis < kAxes; ++axis) {
        high[axis] = texelFetch(velocity, texelOf(c + unit(axis)), 0)[axis];
        highOpen[axis] = texelFetch(aperture, texelOf(c + unit(axis)), 0)[axis];
    }
    vec3 change = highOpen * high - lowOpen * low, u = 0.5 * (low + high);
    bool cut = any(lessThan(min(lowOpen, highOpen), vec3(1.0)));
    for (int once = 0; once < noUnrollIf(cut, 1); ++once)
        if (cut)
            for (int axis = 0; axis < kAxes; ++axis)
                change[axis] += (1.0 - highOpen[axis]) * solidVelocityAt(c + unit(axis), axis) -
                    (1.0 - lowOpen[axis]) * solidVelocityAt(c, axis);
    float div = (change.x + change.y + change.z) / sim.h - (kExpands ? here.w : 0.0);
    if (open.w == 0.0) return div;
    v[0] += div * div;
    v[1] += 1.0;
    v[2] += 0.5 * dot(u, u);
    v[7] = max(v[7], length(u));
    return div;
}

bool hasEquation(ivec3 C) {
    ivec3 size = sim.pressureCells + 1;
    return weights[(C.z * size.y + C.y) * size.x + C.x].w != 0.0;
}

void addCoarse(inout float v[8], float div) {
    v[4] += div * div;
    v[5] += 1.0;
    v[6] = max(v[6], abs(div));
}

void addBlock(inout float v[8], ivec3 C) {
    float sum = 0.0;
    const int layers = kFlat ? 1 : kRatio, cells = kRatio * kRatio * layers;
    for (int n = 0; n < cells; ++n) {
        ivec3 c = C * kRatio + ivec3(n % kRatio, n / kRatio % kRatio, n / (kRatio * kRatio));
        if (all(lessThan(c, sim.cells))) sum += add(v, c);
    }
    if (hasEquation(C)) addCoarse(v, sum / float(cells));  // there is no flow where a block extends past the box
}

// Adds a coarse cell of a sparse simulation that is in no active brick. Obstacles cut none of these.
void addOutside(inout float v[8], ivec3 C) {
    if (isActive(C, kRatio) || !hasEquation(C)) return;
    vec3 low = texelFetch(coarseVelocity, C, 0).xyz, high = vec3(0.0);
    for (int axis = 0; axis < 3; ++axis) high[axis] = texelFetch(coarseVelocity, C + unit(axis), 0)[axis];
    vec3 change = high - low, u = 0.5 * (low + high);
    if (any(isnan(u)) || any(isinf(u))) v[3] += 1.0;
    v[2] += float(kRatio * kRatio * kRatio) * 0.5 * dot(u, u);
    v[7] = max(v[7], length(u));
    addCoarse(v, (change.x + change.y + change.z) / (float(kRatio) * sim.h));
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    const int edge = WISP_BRICK_EDGE / kRatio;
    if (kSparse)
        for (uint n = uint(firstValue()); n < storedCells(edge); n += uint(nextValue())) {
            ivec3 C = storedCell(n, edge);
            if (!outside(C, sim.pressureCells)) addBlock(v, C);
        }
    ivec3 C = numberedCell(firstValue(), sim.pressureCells), way = numberedCell(nextValue(), sim.pressureCells);
    for (int n = firstValue(); n < noUnroll(cellsOf(sim.pressureCells)); n += nextValue(), C = cellAfter(C, way, sim.pressureCells)) {
        if (kSparse) addOutside(v, C);
        else addBlock(v, C);
    }
    reduceGroup(v);
}
