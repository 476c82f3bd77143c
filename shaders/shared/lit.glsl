// SPDX-License-Identifier: MIT
// Needs shared/surface.glsl, shared/lights.glsl, shared/transmittance.glsl.
// Whether an obstacle or the ground lies between x and light n.
bool inShadow(int n, vec3 x) {
    int hit;
    surfaceHit(x, towardsLight(n, x), lightDistance(n, x), hit);
    return hit >= 0;
}

// Share of light n that reaches x through the smoke, in steps of `stepLength`; 0 in a shadow.
float lit(int n, vec3 x, float stepLength) {
    return inShadow(n, x) ? 0.0 : transmittance(x, towardsLight(n, x), lightDistance(n, x), stepLength);
}
