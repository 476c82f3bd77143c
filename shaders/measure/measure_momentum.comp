#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#include "shared/reduce.glsl"
#include "shared/grid.glsl"
#include "shared/stored_cells.glsl"
#include "shared/velocity_anywhere.glsl"
// Momentum of the fluid over rho h^3: the sum over cells of the mean of a u over their two faces of each axis [m/s], with open areas a.
// On these faces the pressure acts, so that the force on obstacles is what the fluid loses. And what leaves through the sides of the box in
// a second, over rho h^2: the sum over their faces of a u (u . n) [m^2/s^2]. The second only of a dense simulation. In a sparse one, coarse
// cells count for the fine cells in them that have no fine velocity.
layout(binding = 1) uniform sampler3D velocity;  // the texels past periodic sides are not read
layout(binding = 2) uniform sampler3D aperture;

void add(inout float v[8], ivec3 c) {
    vec3 low = texelFetch(velocity, texelOf(c), 0).xyz, high = low, lowOpen = texelFetch(aperture, texelOf(c), 0).xyz, highOpen = lowOpen;
    for (int axis = 0; axis < kAxes; ++axis) {
        ivec3 texel = texelOf(wrapped(c + unit(axis), sim.cells));
        high[axis] = texelFetch(velocity, texel, 0)[axis];
        highOpen[axis] = texelFetch(aperture, texel, 0)[axis];
    }
    vec3 u = 0.5 * (low + high), leaving = vec3(0.0);
    for (int axis = 0; axis < kAxes; ++axis) {
        v[axis] += 0.5 * (lowOpen[axis] * low[axis] + highOpen[axis] * high[axis]);
        if (kSparse || isPeriodic(axis)) continue;
        vec3 onLow = u, onHigh = u;
        onLow[axis] = low[axis];
        onHigh[axis] = high[axis];
        if (c[axis] == 0) leaving -= lowOpen[axis] * low[axis] * onLow;
        if (c[axis] + 1 == sim.cells[axis]) leaving += highOpen[axis] * high[axis] * onHigh;
    }
    for (int axis = 0; axis < kAxes; ++axis) v[3 + axis] += leaving[axis];
}

void addOutside(inout float v[8], ivec3 C) {
    if (isActive(C, kRatio)) return;
    vec3 u = texelFetch(coarseVelocity, C, 0).xyz;
    for (int axis = 0; axis < 3; ++axis)
        v[axis] += float(kRatio * kRatio * kRatio) * 0.5 * (u[axis] + texelFetch(coarseVelocity, C + unit(axis), 0)[axis]);
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    if (kSparse)
        for (uint n = uint(firstValue()); n < storedCells(WISP_BRICK_EDGE); n += uint(nextValue())) {
            ivec3 c = storedCell(n, WISP_BRICK_EDGE);
            if (!outside(c, sim.cells)) add(v, c);
        }
    ivec3 size = kSparse ? sim.pressureCells : sim.cells;
    ivec3 c = numberedCell(firstValue(), size), way = numberedCell(nextValue(), size);
    for (int n = firstValue(); n < noUnroll(cellsOf(size)); n += nextValue(), c = cellAfter(c, way, size)) {
        if (kSparse) addOutside(v, c);
        else add(v, c);
    }
    reduceGroup(v);
}
