// SPDX-License-Identifier: MIT
// An atlas with one field per direction of the discrete ordinates. Needs shared/volume.glsl.
#include "shared/light_window.glsl"
#include "shared/lebedev.glsl"

// Texel of cell c in the tile of direction k. `tile`: its texels.
ivec3 inAtlas(ivec3 c, ivec3 tile, int k) { return c + ivec3(k % WISP_ORDINATE_TILES, k / WISP_ORDINATE_TILES, 0) * tile; }

// The field of direction k at u, linear between the centres of cells and clamped to the outermost centres. Cells without smoke have a = 0
// and no weight, so that the source in the smoke beside them is as bright as elsewhere. `from`: index of its grid, see LightWindow.
vec3 sampleAtlas(sampler3D atlas, int from, vec3 u, int k) {
    const vec3 tiles = vec3(WISP_ORDINATE_TILES, WISP_ORDINATES / WISP_ORDINATE_TILES, 1);
    ivec3 texels = textureSize(atlas, 0), tile = texels / ivec3(tiles), cells = kSparse ? lightWindow.ordinateCells[from] : tile;
    vec3 rim = kSparse ? 0.5 / vec3(cells) : 0.5 * tiles / vec3(texels), at = inVolume(clamp(u, rim, 1.0 - rim), cells, tile);
    vec4 found = textureLod(atlas, (at + vec3(k % WISP_ORDINATE_TILES, k / WISP_ORDINATE_TILES, 0)) / tiles, 0.0);
    return found.rgb / max(found.a, 1e-6);
}

// Extinction [1/m] of a cell around x by the share that obstacles fill. The share follows from the distance of the cell's centre to their
// surfaces.
float solidExtinction(vec3 x, float edge) {
    float share = 0.0;
    for (int n = 0; n < sim.obstacleCount; ++n) share = max(share, clamp(0.5 - signedDistance(obstacles[n].shape, x) / edge, 0.0, 1.0));
    // Flames burn beside bodies that are thinner than a cell, and shine past them: light passes where the cell is free.
    if (kFire) return min(-log(max(1.0 - share, 1e-6)), WISP_SOLID_DEPTH) / edge;
    return WISP_SOLID_DEPTH / edge * share;
}
