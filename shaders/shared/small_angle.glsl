// SPDX-License-Identifier: MIT
// Light that was scattered n times by small angles is where it would be without scattering, and only its directions have spread (Goudsmit,
// Saunderson 1940). Its radiance is
//     E (albedo tau)^n / n! f_n(w)      E: what is left of the light, T of it; tau = -ln T
// f_n is the phase function, folded n - 1 times with itself. 14 directions blur it, because they cannot resolve narrow lobes: smoke before
// a light would be too dark by a tenth, and this would depend on the axes of the grid. Therefore the ordinates leave out this light as they
// represent it, and it is added as it is (compare Nakajima, Tanaka 1988). Needs shared/lights.glsl, shared/phase.glsl, the phase table.

// Sum over the lights, and over n from 1 on. `E`: light over its power, with T. `spread`: f_n of each light.
vec3 smallAngle(vec4 E, vec4 T, vec3 albedo, vec4 spread[WISP_SMALL_TURNS]) {
    vec3 sum = vec3(0.0);
    for (int l = 0; l < kLights; ++l) {
        vec3 depth = -log(clamp(T[l], 1e-20, 1.0)) * albedo, share = vec3(E[l]), turned = vec3(0.0);
        [[unroll]] for (int n = 0; n < WISP_SMALL_TURNS; ++n) {
            share *= depth / float(n + 1);
            turned += share * spread[n][l];
        }
        sum += turned * view.lights[l].power;
    }
    return sum;
}

// f_(n+1): the light is scattered once more, towards the camera. Lobes of Henyey and Greenstein, folded, are such lobes.
void spreadTowardsEye(vec3 x, vec3 ray, out vec4 spread[WISP_SMALL_TURNS]) {
    int at = WISP_PHASE_LOBES;
    [[unroll]] for (int n = 0; n < WISP_SMALL_TURNS; ++n) {
        spread[n] = vec4(0.0);
        for (int j = 0; j < n + 3; ++j, at += 2)
            for (int l = 0; l < kLights; ++l)
                spread[n][l] += phaseTable[at] * henyeyGreenstein(dot(towardsLight(l, x), ray), phaseTable[at + 1]);
    }
}
