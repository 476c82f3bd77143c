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
// A last channel that is free takes the surroundings' of the sky volume along, which saves every sample of the picture a fetch.
layout(binding = 3) uniform writeonly image3D light;
layout(binding = 5) uniform sampler3D sky;

void main() {
    ivec3 c = cell();
    if (outside(c, view.lightCells)) return;
    vec3 x = sim.origin + (vec3(c) + 0.5) / vec3(view.lightCells) * boxSize();
    vec4 result = vec4(1.0);
    for (int n = 0; n < kLights; ++n) result[n] = lit(n, x, boxSize().x / float(view.lightCells.x));
    if (kLights < 4) result.w = textureLod(sky, lightPoint(x, view.skyCells), 0.0).x;
    imageStore(light, c, result);
}
