#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#include "shared/reduce.glsl"
#include "shared/grid.glsl"
#include "shared/stored_cells.glsl"
#include "shared/velocity_anywhere.glsl"
// Gauss's theorem for gas that is heated: the sum of outward velocities over the faces on the sides of the box [m/s], and the sum over
// cells of the divergence that the projection left on purpose [1/s]. Fine faces and cells; in a sparse simulation, coarse faces on the
// sides.
layout(binding = 1) uniform sampler3D velocity;  // projected; w: see shared/expansion.glsl
layout(binding = 2) uniform sampler3D aperture;

// Outward velocity on the faces of cell c that are on sides, of a grid of `size` cells.
float outward(sampler3D faces, ivec3 c, ivec3 size, bool isCut) {
    float sum = 0.0;
    for (int axis = 0; axis < kAxes; ++axis) {
        ivec3 high = c + unit(axis);
        if (isPeriodic(axis)) continue;
        if (c[axis] == 0) sum -= texelFetch(faces, c, 0)[axis] * (isCut ? texelFetch(aperture, c, 0)[axis] : 1.0);
        if (high[axis] == size[axis]) sum += texelFetch(faces, high, 0)[axis] * (isCut ? texelFetch(aperture, high, 0)[axis] : 1.0);
    }
    return sum;
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    if (kSparse)
        for (uint n = uint(firstValue()); n < storedCells(WISP_BRICK_EDGE); n += uint(nextValue())) {
            ivec3 c = storedCell(n, WISP_BRICK_EDGE);
            if (!outside(c, sim.cells)) v[1] += texelFetch(velocity, texelOf(c), 0).w;
        }
    ivec3 size = kSparse ? sim.pressureCells : sim.cells;
    ivec3 c = numberedCell(firstValue(), size), way = numberedCell(nextValue(), size);
    for (int n = firstValue(); n < noUnroll(cellsOf(size)); n += nextValue(), c = cellAfter(c, way, size)) {
        if (kSparse) {
            v[0] += float(kRatio * kRatio) * outward(coarseVelocity, c, size, false);
        } else {
            v[0] += outward(velocity, c, size, true);
            v[1] += texelFetch(velocity, c, 0).w;
        }
    }
    reduceGroup(v);
}
