// SPDX-License-Identifier: MIT
// Needs shared/surface.glsl, shared/lights.glsl, shared/transmittance.glsl.
// Share of light n that reaches x through the smoke, in steps of `stepLength`; 0 in a shadow.
float lit(int n, vec3 x, float stepLength) {
    vec3 towards = towardsLight(n, x);
    float far = lightDistance(n, x);
    int hit;
    surfaceHit(x, towards, far, hit);
    return hit >= 0 ? 0.0 : transmittance(x, towards, far, stepLength);
}
