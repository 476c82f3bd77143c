#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
// Moves density and temperature, or density times colour, to the new position of the box. No smoke enters from outside.
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 2) uniform writeonly image3D scalarsOut;
layout(push_constant, scalar) uniform Push { ivec3 shift; };

void main() {
    ivec3 c = cell(), from = c + shift;
    if (outside(c, sim.scalarCells)) return;
    imageStore(scalarsOut, c, outside(from, sim.scalarCells) ? vec4(0.0) : texelFetch(scalarsIn, from, 0));
}
