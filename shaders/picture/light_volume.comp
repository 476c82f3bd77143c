#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/surface.glsl"
#include "shared/lights.glsl"
#include "shared/transmittance.glsl"
#include "shared/lit.glsl"
#include "shared/depth_along.glsl"
// Fourth root of the transmittance from each cell of the light volume to up to four lights, one a channel; in the shadow of an obstacle or
// the ground
// 0, or the share of a light with an extent that is seen. In dense smoke transmittances fall by a factor a cell: linear between cells, they
// would show the cells' edges; their roots do not.
// Towards a sun the first cells, whose smoke is seen sharply in shadows, are marched, and what lies beyond is known.
// A last channel that is free takes the surroundings' of the sky volume along, which saves every sample of the picture a fetch.
layout(binding = 3) uniform writeonly image3D light;
layout(binding = 4) uniform sampler3D depthToSuns;  // optical depth from the sky volume's cells to each sun, in their order
layout(binding = 5) uniform sampler3D sky;

float edge() { return boxSize().x / float(view.lightCells.x); }  // of a cell

float throughToSun(int n, int sun, vec3 u) {
    const int N = WISP_NEAR_CELLS;
    float near = float(N) * edge();
    vec3 s = near / boxSize() * view.lights[n].towards;
    return exp(-depthAlong(u, s, near, N) - knownDepth(depthToSuns, u + s, s, kFar)[sun]);
}

void main() {
    ivec3 c = cell();
    if (outside(c, view.lightCells)) return;
    vec3 u = (vec3(c) + 0.5) / vec3(view.lightCells), x = sim.origin + u * boxSize();
    vec4 result = vec4(1.0);
    for (int n = 0, sun = 0; n < kLights; ++n) {
        if (!isKind(n, WISP_SUN)) result[n] = lit(n, x, edge());
        else result[n] = throughToSun(n, sun++, u) * shown(n, x);
    }
    result = sqrt(sqrt(result));
    if (kLights < 4) result.w = textureLod(sky, lightPoint(x, view.skyCells), 0.0).x;
    imageStore(light, c, result);
}
