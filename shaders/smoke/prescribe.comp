#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/prescribed.glsl"
// The prescribed velocity on every face [m/s].
layout(binding = 1) uniform writeonly image3D velocityOut;

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec3 u = vec3(0.0);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) u[axis] = faceExists(c, axis) ? prescribedVelocity(facePoint(c, axis))[axis] : 0.0;
    imageStore(velocityOut, c, velocityToStorage(u));
}
