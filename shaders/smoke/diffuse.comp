#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/solids.glsl"
#include "shared/no_slip.glsl"
#include "shared/diffusion.glsl"
// Explicit viscosity.
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { float amount; };  // nu dt / h^2

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    bool far = farFromObstacles(c);
    vec4 result = texelFetch(velocityIn, c, 0);
    for (int axis = 0; axis < kAxes; ++axis)
        if (faceExists(c, axis)) result[axis] = diffused(velocityIn, c, axis, far, amount);
    imageStore(velocityOut, c, velocityToStorage(result.xyz));
}
