#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/pressure_grid.glsl"
// Velocity of the position correction: -(w / alpha) grad psi [m/s] on open faces of FLUID cells, 0 on others. It moves particles but does
// not change their velocity.
layout(binding = 4) uniform sampler3D aperture;
layout(binding = 5) uniform writeonly image3D correctionOut;

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec3 alpha = texelFetch(aperture, c, 0).xyz, v = vec3(0.0);
    vec4 w = weightsAt(pressureGrid(), c);
    [[unroll]] for (int axis = 0; axis < 3; ++axis)
        if (faceExists(c, axis) && alpha[axis] > 0.0)
            v[axis] = -w[axis] / alpha[axis] * (pressureAt(c) - pressureAt(c - unit(axis))) / sim.h;
    imageStore(correctionOut, c, roundedToHalf(vec4(limited(v), 0.0)));
}
