// SPDX-License-Identifier: MIT
// Rounds to the nearest half before a store to an image of halves. Vulkan leaves the rounding of such stores to the device, and an H200 and
// lavapipe cut off, which would take mass and energy away in every step: 6 % of the energy of `smoke` in two seconds. What is larger than
// any
// half becomes the largest; infinity and NaN pass through, so that they are found.
#ifndef WISP_ROUNDING_GLSL
#define WISP_ROUNDING_GLSL
layout(constant_id = 3) const bool kHalfStorage = false;

const float kLargestHalf = 65504.0;

// Veltkamp's splitting (Dekker 1971): of 24 digits the 11 that a half has are left.
vec4 roundedToHalf(vec4 v) {
    precise vec4 t = 8193.0 * v, rounded = t - (t - v);
    return rounded;
}
vec4 nearestHalf(vec4 v) { return kHalfStorage ? roundedToHalf(v) : v; }

vec4 toStorage(vec4 v) {
    if (!kHalfStorage) return v;
    vec4 saturated = mix(nearestHalf(v), sign(v) * kLargestHalf, greaterThan(abs(v), vec4(kLargestHalf)));
    return mix(saturated, v, isinf(v));
}
#endif
