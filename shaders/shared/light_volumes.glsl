// SPDX-License-Identifier: MIT
// Light volumes. Needs shared/lights.glsl, shared/surface.glsl. The including file binds `light` and `sky`.
#include "shared/light_window.glsl"
#include "shared/shown.glsl"
#include "shared/light_root.glsl"

// Transmittances to the lights. If a channel is free, it holds the share of the environment: see light_volume.comp.
vec4 lightAt(vec3 x) {
    vec4 root = textureLod(light, lightPoint(x), 0.0), T = root * root;
    T *= T;
    for (int n = 0; n < kLights; ++n)
        if (mayBeNear(n)) T[n] = throughFromRoot(root[n], lightDistance(n, x));
    return kLights < 4 ? vec4(T.xyz, root.w) : T;
}

// Share of the environment that reaches x, where T is lightAt(x).
float openAt(vec3 x, vec4 T) { return kLights < 4 ? T.w : textureLod(sky, skyPoint(x), 0.0).x; }

// lightAt of a point that may be outside the light window: there, the transmittance from where the ray to the light enters the window, and
// the share that obstacles leave. The share of the environment is not known there.
vec4 lightAnywhere(vec3 x) {
    if (isInWindow(x)) return lightAt(x);
    vec4 T = vec4(1.0);
    for (int n = 0; n < kLights; ++n) {
        vec3 d = towardsLight(n, x), inverse = safeInverse(d);
        vec2 span = spanOf(litLow(), litLow() + litSize(), x, inverse);
        if (span.x < min(span.y, lightDistance(n, x))) T[n] = lightAt(x + span.x * d)[n];
        T[n] *= shown(n, x);
    }
    return T;
}
