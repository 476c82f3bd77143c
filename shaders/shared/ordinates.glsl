// SPDX-License-Identifier: MIT
// An atlas with a field for each direction of the discrete ordinates. Needs shared/volume.glsl.
#include "shared/lebedev.glsl"
#include "shared/roots.glsl"

// Texel of cell c in the tile of direction k.
ivec3 inAtlas(ivec3 c, ivec3 cells, int k) { return c + ivec3(k % WISP_ORDINATE_TILES, k / WISP_ORDINATE_TILES, 0) * cells; }

// The field of direction k at u [edges of the box], linear between the middles of cells, clamped to them. Cells without smoke, whose a is
// 0, have
// no say: the source of smoke beside them is as bright as elsewhere.
vec3 sampleAtlas(sampler3D atlas, vec3 u, int k) {
    const vec3 tiles = vec3(WISP_ORDINATE_TILES, WISP_ORDINATES / WISP_ORDINATE_TILES, 1);
    vec3 rim = 0.5 * tiles / vec3(textureSize(atlas, 0));
    vec4 found = textureLod(atlas, (clamp(u, rim, 1.0 - rim) + vec3(k % WISP_ORDINATE_TILES, k / WISP_ORDINATE_TILES, 0)) / tiles, 0.0);
    return fromRoot(found.rgb / max(found.a, 1e-6));
}

// Of a cell around x [1/m] by the share of it that obstacles fill, from the distance of its middle to their surfaces.
float solidExtinction(vec3 x, float edge) {
    float share = 0.0;
    for (int n = 0; n < sim.obstacleCount; ++n) share = max(share, clamp(0.5 - signedDistance(obstacles[n].shape, x) / edge, 0.0, 1.0));
    return WISP_SOLID_DEPTH / edge * share;
}
