#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/vectors.glsl"
#include "shared/expansion.glsl"
// u += dt a, limited; a at a face is the mean of the two cells beside it. w: divergence of the cell, see shared/expansion.glsl. In place.
layout(binding = 2) uniform sampler3D velocityIn;    // [m/s], on faces
layout(binding = 3) uniform writeonly image3D velocityOut;
VECTORS_IN(1, acceleration);  // [m/s^2], at cell centres; w: divergence [1/s]
layout(push_constant, scalar) uniform Push { VectorsIn accelerationAddress; };

void compute(ivec3 c) {
    if (outside(c, sim.cells + 1)) return;
    vec4 u = texelFetch(velocityIn, ownTexel(c), 0);
    uint place = placeOf(inGrid(c, sim.cells));
    vec4 here = LOAD(acceleration, place);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        if (faceExists(c, axis)) u[axis] += 0.5 * sim.dt * (here[axis] + LOAD(acceleration, below(place, c, axis))[axis]);
    }
    float D = kExpands && !outside(c, sim.cells) ? here.w : 0.0;
    imageStore(velocityOut, ownTexel(c), nearestHalf(vec4(limited(u.xyz), D)));
}
#include "shared/each_cell.glsl"
