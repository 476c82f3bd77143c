#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/grid.glsl"
#include "shared/shapes.glsl"
#include "shared/initial_cell.glsl"
#include "shared/rounding.glsl"
// Density times colour at t = 0, mixed in the same way as the density in initial_scalars.comp.
layout(binding = 1) uniform sampler3D coloursIn;
layout(binding = 2) uniform writeonly image3D coloursOut;

void main() {
    ivec3 c = cell();
    vec4 v = amountAt(c);
    if (v.a == 0.0) return;
    vec4 K = texelFetch(coloursIn, scalarTexel(c), 0);
    imageStore(coloursOut, scalarTexel(c), toStorage(mix(K, vec4(push.density * v.rgb, 0.0), v.a)));
}
