// SPDX-License-Identifier: MIT
// One component of a staggered velocity [m/s] at any point. Needs shared/grid.glsl.
#include "shared/sampling.glsl"

// Texel coordinate of component `axis` at p. Tangentially the last texel row holds nothing: stay half a cell inside.
vec3 faceTexel(vec3 p, int axis) {
    vec3 t = clamp(p, vec3(0.5), vec3(sim.cells) - 0.5);
    t[axis] = p[axis] + 0.5;
    return t;
}

float velocityComponent(sampler3D velocity, vec3 p, int axis) {
    return sampleLinear(velocity, faceTexel(p, axis), sim.perFace)[axis];
}
