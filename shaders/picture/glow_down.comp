#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 8, local_size_y = 8) in;
// An image of half the size: each texel is the mean of the 4x4 texels around its centre, by four fetches.
layout(binding = 1) uniform sampler2D finer;
layout(binding = 2) uniform writeonly image2D coarserOut;

void main() {
    ivec2 c = ivec2(gl_GlobalInvocationID.xy), size = imageSize(coarserOut);
    if (any(greaterThanEqual(c, size))) return;
    vec2 texel = 1.0 / vec2(textureSize(finer, 0)), at = (vec2(c) + 0.5) * 2.0 * texel;
    vec4 sum = textureLod(finer, at - texel, 0.0) + textureLod(finer, at + texel, 0.0) +
               textureLod(finer, at + vec2(texel.x, -texel.y), 0.0) + textureLod(finer, at + vec2(-texel.x, texel.y), 0.0);
    imageStore(coarserOut, c, 0.25 * sum);
}
