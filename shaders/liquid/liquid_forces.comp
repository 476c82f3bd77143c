#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
// u += g dt.
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { vec3 gravity; };  // [m/s^2]

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    imageStore(velocityOut, c, velocityToStorage(texelFetch(velocityIn, c, 0).xyz + sim.dt * gravity));
}
