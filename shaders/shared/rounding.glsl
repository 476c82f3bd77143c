// SPDX-License-Identifier: MIT
// Rounds to the nearest half, ties to even, before a store in half storage. Vulkan leaves the rounding of stores to the
// device, and one that cuts off (lavapipe does) would take mass away in every step. NaN and infinity pass through.
#ifndef WISP_ROUNDING_GLSL
#define WISP_ROUNDING_GLSL
layout(constant_id = 3) const bool kHalfStorage = false;

vec4 toStorage(vec4 v) {
    if (!kHalfStorage) return v;
    uvec4 bits = floatBitsToUint(v);
    uvec4 rounded = (bits + 0xfffu + ((bits >> 13) & 1u)) & ~0x1fffu;
    bvec4 special = equal(bits & 0x7f800000u, uvec4(0x7f800000u));
    return mix(uintBitsToFloat(rounded), v, special);
}
#endif
