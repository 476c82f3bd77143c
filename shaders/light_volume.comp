#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/surface.glsl"
#include "shared/lights.glsl"
#include "shared/transmittance.glsl"
#include "shared/lit.glsl"
// Transmittance from each cell of the light volume to up to four lights, one a channel; 0 in the shadow of an obstacle or the ground.
layout(binding = 3) uniform writeonly image3D light;

void main() {
    ivec3 c = cell();
    if (outside(c, view.lightCells)) return;
    vec3 x = sim.origin + (vec3(c) + 0.5) / vec3(view.lightCells) * boxSize();
    vec4 result = vec4(1.0);
    for (int n = 0; n < kLights; ++n) result[n] = lit(n, x, boxSize().x / float(view.lightCells.x));
    imageStore(light, c, result);
}
