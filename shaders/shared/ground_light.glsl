// SPDX-License-Identifier: MIT
// Light that the ground reflects, from the light volumes. Needs shared/surface.glsl, shared/lights.glsl, shared/environment.glsl, and
// shared/light_volumes.glsl.

#include "shared/fire_lights.glsl"

// Share of the environment that reaches the ground. Beyond the lit part of the box it rises with the distance to that of a clear sky.
float skyAbove(vec3 x) {
    vec3 nearest = clamp(x, litLow(), litLow() + litSize());
    // times 2, because the four lower diagonals end in the ground
    float above = min(2.0 * textureLod(sky, skyPoint(nearest), 0.0).x, 1.0);
    return mix(above, 1.0, smoothstep(0.0, litSize().y, distance(x, nearest)));
}

// Radiance of the diffuse ground where a downward ray from x along d meets it. Shadows come from the light volume. Where the ground fades
// out, the environment behind it is mixed in.
vec3 groundAlong(vec3 x, vec3 d) {
    x += max(x.y - sim.origin.y, 0.0) / -d.y * d;
    float cover = groundCover(x);
    if (cover == 0.0) return environmentRadiance(d);
    vec3 up = vec3(0.0, 1.0, 0.0), E = kPi * skyAbove(x) * environmentMean(up, 2.0 / 3.0, 0.25);
    vec4 T = lightAnywhere(x);
    for (int n = 0; n < kLights; ++n) E += T[n] * max(towardsLight(n, x).y, 0.0) * directLight(n, x);
    if (kFire) E += fireOn(x, up);
    return mix(environmentRadiance(d), view.surfaces[kGround].colour / kPi * E, cover);
}

// Share of a lobe around d above the horizon. The first Legendre coefficient of the lobe is `first`; a half space has the coefficients 1/2,
// 3/4, 0. For a cosine lobe the share is (1 + y) / 2.
float aboveHorizon(vec3 d, float first) { return clamp(0.5 + 0.75 * first * d.y, 0.0, 1.0); }
