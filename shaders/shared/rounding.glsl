// SPDX-License-Identifier: MIT
// Rounds to the nearest half, ties to even, before a store in half storage. Vulkan leaves the rounding of stores to the
// device, and one that cuts off (lavapipe does) would take mass away in every step. What is larger than any half becomes the
// largest; NaN and infinity pass through.
#ifndef WISP_ROUNDING_GLSL
#define WISP_ROUNDING_GLSL
layout(constant_id = 3) const bool kHalfStorage = false;

const float kLargestHalf = 65504.0;

vec4 toStorage(vec4 v) {
    if (!kHalfStorage) return v;
    uvec4 bits = floatBitsToUint(v);
    uvec4 rounded = (bits + 0xfffu + ((bits >> 13) & 1u)) & ~0x1fffu;
    bvec4 special = equal(bits & 0x7f800000u, uvec4(0x7f800000u));
    return mix(clamp(uintBitsToFloat(rounded), -kLargestHalf, kLargestHalf), v, special);
}
#endif
