#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/field_picture.glsl"
#include "shared/velocity_anywhere.glsl"
#include "shared/arrows.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
// A plane through the box seen straight on: the colour of the field, obstacles in grey, and arrows along the velocity in the plane, centred
// on a square lattice. Edges are anti-aliased over one pixel.
layout(binding = 9) uniform sampler3D centre;          // [m/s]
layout(binding = 12) uniform sampler3D solidDistance;  // [cells]
layout(push_constant, scalar) uniform Push { SlicePush push; };

vec3 unitPoint(vec2 at) { return (push.corner + at.x * push.right + at.y * push.down - sim.origin) / (vec3(sim.cells) * sim.h); }
bool inBox(vec3 p) { return all(greaterThanEqual(p, vec3(0.0))) && all(lessThanEqual(p, vec3(1.0))); }

float pixelsToSolid(vec3 p) {
    if (sim.obstacleCount == 0) return 1e3;
    float phi = kSparse ? sampleCells(solidDistance, p * vec3(sim.cells)).x : textureLod(solidDistance, p, 0.0).x;
    return phi * sim.h / length(push.right);
}

// The velocity in the plane.
vec2 arrowAround(vec2 middle) {
    vec3 p = unitPoint(middle);
    if (!inBox(p) || pixelsToSolid(p) < 0.0) return vec2(0.0);
    vec3 u = kSparse ? centreAnywhere(centre, p * vec3(sim.cells)) : textureLod(centre, p, 0.0).xyz;
    return vec2(dot(u, push.right), dot(u, push.down)) / (length(push.right) * limits.speed) * WISP_ARROW_LENGTH * push.spacing;
}

vec3 withArrows(vec3 colour, vec2 at) {
    if (push.spacing == 0.0) return colour;
    vec2 cover = arrowCover(at, push.low, vec2(push.spacing), push.pen);
    return mix(mix(colour, vec3(1.0 - push.ink), cover.x), vec3(push.ink), cover.y);
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
    vec3 colour = mix(kSolid, colourAt(cellIndex(v)), fluid);
    show(pixel, push.pixels, vec4(withArrows(colour, at), fluid), fluid > 0.0 ? v : 0.0);
}
