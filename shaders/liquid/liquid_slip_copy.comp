#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
// Copies the result of liquid_slip to the image that holds the rest of the velocity.
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { ivec3 first; };

void main() {
    ivec3 c = first + cell();
    if (!outside(c, sim.cells + 1)) imageStore(velocityOut, c, texelFetch(velocityIn, c, 0));
}
