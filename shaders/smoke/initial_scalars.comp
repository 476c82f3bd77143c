#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/grid.glsl"
#include "shared/shapes.glsl"
#include "shared/initial_cell.glsl"
#include "shared/rounding.glsl"
// Density (x), temperature (y) and fuel (z) at t = 0, mixed over the existing values. Nothing in solid cells.
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 2) uniform writeonly image3D scalarsOut;

void main() {
    ivec3 c = cell();
    float a = amountAt(c).a;
    if (a == 0.0) return;
    vec4 s = texelFetch(scalarsIn, scalarTexel(c), 0);
    imageStore(scalarsOut, scalarTexel(c), toStorage(mix(s, vec4(push.density, push.temperature, push.fuel, 0.0), a)));
}
