// SPDX-License-Identifier: MIT
// What shines: lights and surroundings, without smoke. Needs shared/volume.glsl.

vec3 directLight(int n, vec3 x) {  // irradiance on a surface that faces the light
    if (view.lights[n].kind == WISP_SUN) return view.lights[n].power;
    vec3 d = view.lights[n].towards - x;
    return view.lights[n].power / max(dot(d, d), 1e-6);
}

vec3 towardsLight(int n, vec3 x) {
    return view.lights[n].kind == WISP_SUN ? view.lights[n].towards : normalize(view.lights[n].towards - x);
}

float lightDistance(int n, vec3 x) { return view.lights[n].kind == WISP_SUN ? kFar : length(view.lights[n].towards - x); }

// Radiance that arrives from far away along -d.
vec3 environmentRadiance(vec3 d) { return view.environment; }
