#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/field_picture.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
// A plane through the box seen straight on: the field's colour, obstacles grey, and arrows along the velocity in the plane,
// whose middles lie on a square lattice. All edges are a pixel wide.
layout(binding = 9) uniform sampler3D centre;          // [m/s]
layout(binding = 12) uniform sampler3D solidDistance;  // [cells]
layout(push_constant, scalar) uniform Push { SlicePush push; };

vec3 unitPoint(vec2 at) { return (push.corner + at.x * push.right + at.y * push.down - sim.origin) / (vec3(sim.cells) * sim.h); }
bool inBox(vec3 p) { return all(greaterThanEqual(p, vec3(0.0))) && all(lessThanEqual(p, vec3(1.0))); }

float pixelsToSolid(vec3 p) {
    return sim.obstacleCount == 0 ? 1e3 : textureLod(solidDistance, p, 0.0).x * sim.h / length(push.right);
}

float segmentDistance(vec2 p, vec2 a, vec2 b) {
    vec2 d = b - a;
    return length(p - a - clamp(dot(p - a, d) / max(dot(d, d), 1e-12), 0.0, 1.0) * d);
}

// Distance [pixels] to the arrow in the middle of lattice cell n: a shaft and two barbs.
float arrowDistance(vec2 at, vec2 n) {
    vec2 middle = push.low + (n + 0.5) * push.spacing;
    vec3 p = unitPoint(middle);
    if (!inBox(p) || pixelsToSolid(p) < 0.0) return 1e3;
    vec3 u = textureLod(centre, p, 0.0).xyz;
    vec2 v = vec2(dot(u, push.right), dot(u, push.down)) / (length(push.right) * limits.speed) * WISP_ARROW_LENGTH * push.spacing;
    float pixels = length(v);
    if (pixels < 1.0) return 1e3;
    v *= min(1.0, 2.8 * push.spacing / pixels);  // no further than the neighbours whose pixels look for it
    vec2 tip = middle + 0.5 * v, side = 0.15 * vec2(-v.y, v.x), back = tip - 0.3 * v;
    return min(segmentDistance(at, middle - 0.5 * v, tip), min(segmentDistance(at, tip, back + side), segmentDistance(at, tip, back - side)));
}

vec3 withArrows(vec3 colour, vec2 at) {
    if (push.spacing == 0.0) return colour;
    vec2 n = floor((at - push.low) / push.spacing);
    float d = 1e3;
    for (int k = 0; k < 9; ++k) d = min(d, arrowDistance(at, n + vec2(k % 3 - 1, k / 3 - 1)));
    colour = mix(colour, vec3(1.0 - push.ink), 0.6 * clamp(2.0 * push.pen + 0.5 - d, 0.0, 1.0));
    return mix(colour, vec3(push.ink), clamp(push.pen + 0.5 - d, 0.0, 1.0));
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, push.pixels))) return;
    vec2 at = vec2(pixel) + 0.5;
    vec3 p = unitPoint(at);
    if (!inBox(p)) {
        show(pixel, push.pixels, vec4(kBackground, 0.0), 0.0);
        return;
    }
    float v = textureLod(values, p, 0.0).x, fluid = clamp(0.5 + pixelsToSolid(p), 0.0, 1.0);
    vec3 colour = mix(kSolid, colourAt(placeOf(v)), fluid);
    show(pixel, push.pixels, vec4(withArrows(colour, at), fluid), fluid > 0.0 ? v : 0.0);
}
