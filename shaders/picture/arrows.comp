#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/prescribed.glsl"
#include "shared/flat_view.h"
#include "shared/arrows.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
// Draws arrows along a prescribed velocity over the image of a flat grid. In place.
layout(binding = 1) uniform sampler2D radianceIn;
layout(binding = 2) uniform writeonly image2D radianceOut;
layout(push_constant, scalar) uniform Push { ArrowsPush push; };
const float kOpacity = 0.75;  // of lines: the dye stays visible

vec2 arrowAround(vec2 middle) {
    vec2 p = (push.corner + push.pixel * middle * vec2(1.0, -1.0) - sim.origin.xy) / sim.h;
    if (any(lessThan(p, vec2(0.0))) || any(greaterThan(p, vec2(sim.cells.xy)))) return vec2(0.0);
    return push.reach * prescribedVelocity(vec3(p, 0.5)).xy * vec2(1.0, -1.0);
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, push.pixels))) return;
    vec2 cover = vec2(1.0, kOpacity) * arrowCover(vec2(pixel) + 0.5, push.low, push.spacing, push.pen);
    vec4 L = texelFetch(radianceIn, pixel, 0);
    imageStore(radianceOut, pixel, mix(mix(L, vec4(vec3(push.rim), 1.0), cover.x), vec4(vec3(push.ink), 1.0), cover.y));
}
