#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
// u += dt a, with a at a face as the mean of the two cells beside it. In place.
layout(binding = 1) uniform sampler3D acceleration;  // [m/s^2], at cell centres
layout(binding = 2) uniform sampler3D velocityIn;    // [m/s], on faces
layout(binding = 3) uniform writeonly image3D velocityOut;

vec3 at(ivec3 c) { return texelFetch(acceleration, inGrid(c, sim.cells), 0).xyz; }

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec4 u = texelFetch(velocityIn, c, 0);
    vec3 here = at(c);
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (faceExists(c, axis)) u[axis] += 0.5 * sim.dt * (here[axis] + at(c - unit(axis))[axis]);
    }
    imageStore(velocityOut, c, u);
}
