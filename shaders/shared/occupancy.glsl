// SPDX-License-Identifier: MIT
// Where there is smoke: the largest density of each brick of WISP_BRICK^3 scalar cells, including the border that trilinear samples reach.
// Needs shared/grid.glsl, shared/view.h.
#ifndef WISP_OCCUPANCY_GLSL
#define WISP_OCCUPANCY_GLSL
layout(binding = 9) uniform sampler3D occupancy;

vec3 brickEdge() { return vec3(float(WISP_BRICK) * sim.h / float(kScalarRatio)); }  // [m]

float largestDensity(vec3 x) {  // of the brick around x [m]
    ivec3 brick = ivec3(floor((x - sim.origin) / brickEdge()));
    return texelFetch(occupancy, clamp(brick, ivec3(0), (sim.scalarCells - 1) / WISP_BRICK), 0).x;
}

// Distance from x along the ray to the end of the brick around x.
float brickEnd(vec3 x, vec3 inverse) {
    vec3 edge = brickEdge(), low = sim.origin + floor((x - sim.origin) / edge) * edge;
    vec3 t = max((low - x) * inverse, (low + edge - x) * inverse);
    return min(t.x, min(t.y, t.z)) + 1e-3 * edge.x;
}
#endif
