// SPDX-License-Identifier: MIT
// The share of the pressure that pre-smoothing found in fine cells. The including file binds `aperture` and `potential`. Needs
// shared/velocity_anywhere.glsl.

// This share of q at p [cells]: the mean over the fluid cells around, by trilinear weights. q = p dt / rho.
float finePressure(vec3 p) {
    if (kRatio == 1) return 0.0;
    vec3 t = p - 0.5, f = fract(t);
    float sum = 0.0, weight = 0.0;
    for (int n = 0; n < 8; ++n) {
        ivec3 o = ivec3(n & 1, (n >> 1) & 1, n >> 2), c = inGrid(ivec3(floor(t)) + o, sim.cells);
        vec3 w = mix(1.0 - f, f, vec3(o));
        if (texelFetch(aperture, texelOf(c), 0).w == 0.0) continue;
        weight += w.x * w.y * w.z;
        if (isFine(c)) sum -= w.x * w.y * w.z * sim.h * LOAD_FLOAT(potential, placeOf(c));
    }
    return weight > 0.0 ? sum / weight : 0.0;
}
