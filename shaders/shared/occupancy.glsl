// SPDX-License-Identifier: MIT
// Where there is smoke: the largest optical density of each brick of WISP_BRICK^3 scalar cells, including the border that trilinear samples
// reach; with fire also the largest temperature.
// Needs shared/volume.glsl.
#ifndef WISP_OCCUPANCY_GLSL
#define WISP_OCCUPANCY_GLSL
layout(binding = 9) uniform sampler3D occupancy;
layout(binding = 22, scalar) readonly buffer SmokeBoxBlock { SmokeBox smokeBox; };  // of a sparse simulation

vec3 brickEdge() { return vec3(float(WISP_BRICK) * sim.h / float(kScalarRatio)); }  // [m]

vec2 greatestOf(vec3 x) {  // of the brick around x [m]: density, temperature
    ivec3 brick = ivec3(floor((x - sim.origin) / brickEdge()));
    return texelFetch(occupancy, clamp(brick, ivec3(0), (sim.scalarCells - 1) / WISP_BRICK), 0).xy;
}
float largestDensity(vec3 x) { return greatestOf(x).x; }
bool isGlowing(vec2 greatest) { return kFire && view.ambient + greatest.y > kGlowing; }

// Edge [m] of a brick around x that ends with the brick of the occupancy grid, or is empty. A brick of a sparse simulation that is not
// listed is empty, with its border.
vec3 brickEdgeAt(vec3 x) {
    // smoke moves into bricks that are not listed while the shutter is open
    if (kShutter || isStored(ivec3(floor((x - sim.origin) / sim.h)))) return brickEdge();
    return vec3(float(WISP_BRICK_EDGE) * sim.h);
}

// Distance from x along the ray to the end of the brick around x. A ray along a side stays within the brick and its border: rounding would
// put it to either side again and again.
float brickEnd(vec3 x, vec3 inverse) {
    vec3 edge = brickEdgeAt(x), low = sim.origin + floor((x - sim.origin) / edge) * edge;
    vec3 t = max((low - x) * inverse, (low + edge - x) * inverse);
    t = mix(t, vec3(kFar), greaterThan(abs(inverse), vec3(1e3)));
    return max(min(t.x, min(t.y, t.z)), 0.0) + 1e-3 * edge.x;
}

// Bricks of the box with smoke: the first one, and the one after the last one.
ivec3 smokeFirst() { return view.bricks - ivec3(smokeBox.fromHigh[0], smokeBox.fromHigh[1], smokeBox.fromHigh[2]); }
ivec3 smokeEnd() { return ivec3(smokeBox.end[0], smokeBox.end[1], smokeBox.end[2]); }

// Distances as of boxSpan, to the part of the box with smoke.
vec2 smokeSpan(vec3 x, vec3 inverse) {
    vec2 span = boxSpan(x, inverse);
    if (!kSparse) return span;
    if (smokeBox.end[0] == 0) return vec2(1.0, 0.0);
    vec3 a = (sim.origin + vec3(smokeFirst()) * brickEdge() - x) * inverse, b = (sim.origin + vec3(smokeEnd()) * brickEdge() - x) * inverse;
    vec3 low = min(a, b), high = max(a, b);
    return vec2(max(span.x, max(max(low.x, low.y), low.z)), min(span.y, min(min(high.x, high.y), high.z)));
}
#endif
