#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.h"
layout(local_size_x = 16, local_size_y = 16) in;
// Writes the mean of the samples so far as the image that all passes after the renderer read. Depth is defined as in raymarch.comp.
layout(binding = 1, scalar) uniform ViewBlock { ViewData view; };
layout(binding = 2) uniform sampler2D pathMean;
layout(binding = 3) uniform sampler2D pathMoments;
layout(binding = 4) uniform writeonly image2D radiance;
layout(binding = 5) uniform writeonly image2D depth;

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, view.pixels))) return;
    vec4 mean = texelFetch(pathMean, pixel, 0);
    imageStore(radiance, pixel, mean);
    imageStore(depth, pixel, vec4(mean.a > 0.0 ? texelFetch(pathMoments, pixel, 0).w / mean.a : uintBitsToFloat(0x7f800000u)));
}
