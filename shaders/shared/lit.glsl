// SPDX-License-Identifier: MIT
// Needs shared/surface.glsl, shared/lights.glsl, shared/transmittance.glsl.
#include "shared/shown.glsl"

// Share of light n that reaches x through the smoke, with steps of `stepLength`; 0 in a shadow.
float lit(int n, vec3 x, float stepLength) {
    float share = shown(n, x);
    return share == 0.0 ? 0.0 : share * transmittance(x, towardsLight(n, x), lightDistance(n, x), stepLength);
}
