// SPDX-License-Identifier: MIT
// Light of point and spot lights over cells of the discrete ordinates. Needs shared/lights.glsl, shared/light_root.glsl.
#include "shared/inverse_square.glsl"

// What the stored share of a lamp's light in a cell, see ordinates_medium.comp, refers to [1/m^2]: 1/r^2 but finite.
float lampAtCell(int n, ivec3 c, ivec3 cells) {
    vec3 d = view.lights[n].towards - (litLow() + (vec3(c) + 0.5) / vec3(cells) * litSize());
    float edge = litSize().x / float(cells.x);
    return 1.0 / (dot(d, d) + 0.125 * edge * edge);
}

// Mean of T/r^2 over a box of a cell's sample. The transmittance is that at the mean distance, weighted by 1/r^2: of a cube sqrt(1/F - 0.08
// edge^2), with the mean F of 1/r^2, but at least sqrt(0.73 / F), within 3 %.
float lampOverBox(int n, float root, vec3 x, vec3 size) {
    vec3 d = view.lights[n].towards - x;
    float F = inverseSquareMean(d, size);
    float r = sqrt(max(1.0 / F - 0.08 * size.x * size.x, 0.73 / F)), T = throughFromRoot(root, r);
    return coneOver(n, d, size.x) * F * T * cosh(min(0.25 * size.x / r * -log(max(T, 1e-20)), 4.0));
}
