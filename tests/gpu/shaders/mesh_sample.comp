#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/solids.glsl"
// Distance [m] to the nearest obstacle at the cells' centres.
layout(binding = 1) uniform writeonly image3D distanceOut;

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    int n;
    imageStore(distanceOut, c, vec4(obstacleDistance(worldPoint(vec3(c) + 0.5), n)));
}
