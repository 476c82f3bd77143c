// SPDX-License-Identifier: MIT
// Finds samples that touch partly or fully solid cells. Needs shared/grid.glsl, shared/sampling.glsl.
#include "shared/branches.glsl"
layout(binding = 2) uniform sampler3D aperture;
layout(binding = 12) uniform sampler3D solidDistance;  // [cells], see obstacles.comp

bool touchesSolid(vec3 p) { return sampleFaces(aperture, amongCells(p)).w < 0.999; }

const float kSampleReach = 2.61;

// Whether a trilinear sample of the cells at p, `from` or `to` touches a partly solid cell. `distance` [cells] is a lower bound of the
// distance from p to the nearest obstacle. A sample reaches sqrt(3) cells and a cut cell 0.87 (see obstacles.comp), so most points need no
// fetch.
bool nearSolid(float distance, vec3 p, vec3 from, vec3 to) {
    float reach = kSampleReach + sqrt(max(dot(from - p, from - p), dot(to - p, to - p)));
    if (distance > reach) return false;
    bool near = false;
    // Other devices unroll it: as a loop it takes 13 % of the time of advect_scalars on an H200.
    [[unroll]] for (int n = 0; n < noUnroll(3); ++n) near = near || touchesSolid(n == 0 ? p : n == 1 ? from : to);
    return near;
}

// Lower bounds of the distance [cells] from the centre of a cell, or of a scalar cell, to the nearest obstacle. Between two points the
// distance changes by at most their separation. Texels past the last cells hold no distance: the bound is that of the last cell, minus the
// separation.
float centreDistance(ivec3 c) {
    if (sim.obstacleCount == 0) return 1e30;
    float beyond = obstaclesBeyond(vec3(c));
    if (beyond > 8.0) return beyond - 1.0;  // most cells need no fetch: the centre is at most one cell from c
    c = wrapped(c, sim.cells);
    ivec3 last = min(c, sim.cells - 1);
    return texelFetch(solidDistance, texelOf(last), 0).x - (last == c ? 0.0 : 1.74);
}
float scalarDistance(ivec3 c) { return kScalarRatio == 1 ? centreDistance(c) : centreDistance(c / kScalarRatio) - 0.87; }

bool solidCell(ivec3 c) { return sim.obstacleCount > 0 && texelFetch(aperture, texelOf(inGrid(c, sim.cells)), 0).w == 0.0; }
