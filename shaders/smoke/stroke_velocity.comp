#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/shapes.glsl"
#include "shared/stroke.glsl"
// Adds the push of a stroke to the velocity on faces [m/s]: u += force L. In place.
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2) uniform writeonly image3D velocityOut;

void main() {
    ivec3 c = push.first + cell();
    if (outside(c, sim.cells + 1) || !isStored(c)) return;
    vec4 u = texelFetch(velocityIn, texelOf(c), 0);
    for (int axis = 0; axis < kAxes; ++axis) {
        if (faceExists(c, axis)) u[axis] += push.amount[axis] * weightedLength(worldPoint(facePoint(c, axis)));
    }
    imageStore(velocityOut, texelOf(c), velocityToStorage(u.xyz));
}
