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
#include "shared/lit_cell.glsl"
#include "shared/light_root.glsl"
// Fourth root (near a lamp another, see light_root.glsl) of the transmittance from each cell of the light volume to up to four lights, one
// per channel. In the shadow of an obstacle or the ground it is 0, or it contains the visible share of a light with an extent. In dense
// smoke transmittances fall by a constant factor per cell. Interpolated linearly between cells they would show the edges of cells. Their
// roots do not.
// Towards a sun, the first cells are ray-marched, because their smoke is seen sharply in shadows. The optical depth beyond them is known.
// If the last channel is free, it holds the environment's share from the sky volume, which saves a fetch in every sample of the image.
layout(binding = 3) uniform writeonly image3D light;
layout(binding = 4) uniform sampler3D depthToSuns;  // optical depth from the cells of the sky volume to each sun, in the order of the suns
layout(binding = 5) uniform sampler3D sky;

float throughToSun(int n, int sun, vec3 u) {
    const int N = WISP_NEAR_CELLS;
    float near = float(N) * lightEdge();
    vec3 s = near / litSize() * view.lights[n].towards;
    return exp(-depthAlong(u, s, near, N) - knownDepth(depthToSuns, u + s, s, kFar)[sun]);
}

// A cell at the lamp takes the root of a point half an edge away, because its own is not defined.
float rootToLamp(int n, vec3 x) {
    vec3 d = x - view.lights[n].towards;
    float r = length(d), least = 0.5 * lightEdge();
    if (r < least) x += (least - r) * (r > 0.0 ? d / r : vec3(1.0, 0.0, 0.0));
    float T = lit(n, x, lightEdge());
    return T > 0.0 ? exp2(log2(T) / rootAt(max(r, least))) : 0.0;
}

void main() {
    ivec3 c = litCell(lightCells());
    if (outside(c, lightCells())) return;
    vec3 u = (vec3(c) + 0.5) / vec3(lightCells()), x = litLow() + u * litSize();
    vec4 result = vec4(1.0);
    for (int n = 0, sun = 0; n < kLights; ++n) {
        if (!isKind(n, WISP_SUN)) result[n] = kNearLamps ? rootToLamp(n, x) : sqrt(sqrt(lit(n, x, lightEdge())));
        else result[n] = sqrt(sqrt(throughToSun(n, sun++, u) * shown(n, x)));
    }
    if (kLights < 4) result.w = textureLod(sky, skyPoint(x), 0.0).x;
    imageStore(light, c, result);
}
