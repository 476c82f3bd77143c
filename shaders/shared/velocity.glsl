// SPDX-License-Identifier: MIT
// One component of a staggered velocity [m/s] at any point. Needs shared/grid.glsl.
#include "shared/sampling.glsl"

// Texel coordinate of component `axis` at p.
vec3 faceTexel(vec3 p, int axis) {
    vec3 t = amongCells(p);
    t[axis] = 0.5 + (isPeriodic(axis) ? mod(p[axis], float(sim.cells[axis])) : p[axis]);
    return t;
}

// Distance [cells] of the outermost faces of an axis from the sides of the box: 0 along the axis itself, otherwise 0.5.
vec3 faceMargin(int axis) { return 0.5 - 0.5 * vec3(unit(axis)); }

float velocityComponent(sampler3D velocity, vec3 p, int axis) {
    return sampleStoredFaces(velocity, faceTexel(p, axis))[axis];
}
