#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/transmittance.glsl"
// Transmittance from each cell of the light volume to up to four lights, one a channel; 0 in an obstacle's shadow.
layout(binding = 3) uniform writeonly image3D light;

void main() {
    ivec3 c = cell();
    if (outside(c, view.lightCells)) return;
    vec3 x = sim.origin + (vec3(c) + 0.5) / vec3(view.lightCells) * boxSize();
    float cellLength = boxSize().x / float(view.lightCells.x);
    vec4 result = vec4(1.0);
    for (int n = 0; n < kLights; ++n) {
        bool sun = view.lights[n].kind == WISP_SUN;
        vec3 path = sun ? view.lights[n].towards : view.lights[n].towards - x;
        float far = sun ? kFar : length(path);
        int hit;
        obstacleHit(x, normalize(path), far, hit);
        result[n] = hit >= 0 ? 0.0 : transmittance(x, normalize(path), far, cellLength);
    }
    imageStore(light, c, result);
}
