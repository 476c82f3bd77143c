// SPDX-License-Identifier: MIT
// Rounds to the nearest half before a store to an image of halves. Vulkan leaves the rounding of such stores to the device. An H200 and
// lavapipe truncate, which would remove mass and energy in every step: 6 % of the energy of `smoke` in two seconds. Values above the
// largest half become the largest half. Infinity and NaN pass through, so that they are detected.
#ifndef WISP_ROUNDING_GLSL
#define WISP_ROUNDING_GLSL
layout(constant_id = 3) const bool kHalfStorage = false;

const float kLargestHalf = 65504.0;

// Veltkamp's splitting (Dekker 1971): keeps 11 of 24 binary digits, as many as a half has.
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
