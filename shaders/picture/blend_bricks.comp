#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.h"
#include "shared/brick_edges.h"
layout(local_size_x = 16, local_size_y = 16) in;
// Blends the lines of draw_bricks over a picture, L = mix(L, colour, opacity * cover). In place.
layout(binding = 1, scalar) uniform ViewBlock { ViewData view; };
layout(binding = 2) uniform sampler2D radianceIn;
layout(binding = 4) uniform writeonly image2D radianceOut;
layout(binding = 3, scalar) readonly buffer CoverBlock { uint cover[]; };
layout(push_constant, scalar) uniform Push { BrickBlend push; };

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, view.pixels))) return;
    uint word = cover[pixel.y * view.pixels.x + pixel.x];
    if (word == 0u) return;
    float share = push.opacity * float(word) / float(WISP_FULL_COVER);
    imageStore(radianceOut, pixel, mix(texelFetch(radianceIn, pixel, 0), vec4(push.colour, 1.0), share));
}
