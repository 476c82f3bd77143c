#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/view.h"
#include "shared/srgb.glsl"
layout(local_size_x = 16, local_size_y = 16) in;
// Linear radiance -> exposure -> tone curve -> sRGB bytes, with an ordered dither against banding: if k/16 of a step are left over, k of a
// tile's sixteen pixels show the next higher byte. No pixel does if the value is exactly a byte. The fourth byte is 255, or the coverage.
layout(binding = 1, scalar) uniform ViewBlock { ViewData view; };
layout(binding = 2) uniform sampler2D radiance;
layout(binding = 3, scalar) writeonly buffer Display { uint display[]; };
layout(constant_id = 39) const bool kTransparent = false;

vec3 aces(vec3 c) {  // fit of the ACES RRT and ODT by Hill
    const mat3 inward = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
    const mat3 outward = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);
    c = inward * c;
    c = (c * (c + 0.0245786) - 0.000090537) / (c * (0.983729 * c + 0.4329510) + 0.238081);
    return outward * c;
}

vec3 agx(vec3 c) {  // Sobotka's AgX: log2 encoding between -12.47 and 4.03 stops, polynomial sigmoid; returns linear
    const mat3 inward = mat3(0.842479062253094, 0.0423282422610123, 0.0423756549057051, 0.0784335999999992, 0.878468636469772,
                             0.0784336, 0.0792237451477643, 0.0791661274605434, 0.879142973793104);
    const mat3 outward = mat3(1.19687900512017, -0.0528968517574562, -0.0529716355144438, -0.0980208811401368,
                              1.15190312990417, -0.0980434501171241, -0.0990297440797205, -0.0989611768448433, 1.15107367264116);
    c = clamp((log2(max(inward * c, vec3(1e-10))) + 12.47393) / (4.026069 + 12.47393), 0.0, 1.0);
    vec3 c2 = c * c, c4 = c2 * c2;
    c = 15.5 * c4 * c2 - 40.14 * c4 * c + 31.96 * c4 - 6.868 * c2 * c + 0.4298 * c2 + 0.1191 * c - 0.00232;
    return pow(max(outward * c, vec3(0.0)), vec3(2.2));
}

// Bright flames go from red through orange and yellow to white, as on film: each channel has a curve of its own (Lottes 2016: contrast 1.5,
// shoulder 0.95, 0.18 stays, 30 is white). A share of the grey is mixed in before and taken out after it, so that saturated colours reach
// white, too. A curve that keeps the hue turns flames pink.
vec3 filmic(vec3 c) {
    const float grey = 0.08;
    c = mix(c, vec3((c.r + c.g + c.b) / 3.0), grey);
    vec3 z = pow(max(c, vec3(0.0)), vec3(1.5));
    c = min(z / (1.2881239 * pow(z, vec3(0.95)) + 0.3123922), 1.0);
    return (c - grey * (c.r + c.g + c.b) / 3.0) / (1.0 - grey);
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, view.pixels))) return;
    vec3 c = view.exposure * min(texelFetch(radiance, pixel, 0).xyz, 65504.0);  // values above the largest half float are white
    if (view.tonemap == WISP_ACES) c = aces(c);
    if (view.tonemap == WISP_AGX) c = agx(c);
    if (view.tonemap == WISP_FILMIC) c = filmic(c);
    c = srgb(clamp(c, 0.0, 1.0));
    ivec2 b = pixel & 3;  // 4x4 Bayer matrix by interleaved bits
    int rank = ((b.x ^ b.y) & 1) << 3 | (b.y & 1) << 2 | ((b.x ^ b.y) & 2) | (b.y & 2) >> 1;
    uvec3 bytes = uvec3(clamp(floor(c * 255.0 + (float(rank) + 0.5) / 16.0), 0.0, 255.0));
    uint word = displayWord(bytes);
    if (kTransparent) word = bitfieldInsert(word, uint(clamp(texelFetch(radiance, pixel, 0).w, 0.0, 1.0) * 255.0 + 0.5), 24, 8);
    display[pixel.y * view.pixels.x + pixel.x] = word;
}
