// SPDX-License-Identifier: MIT
// One component of a staggered velocity [m/s] at any point. Needs shared/grid.glsl.
#include "shared/sampling.glsl"

// Texel coordinate of component `axis` at p.
vec3 faceTexel(vec3 p, int axis) {
    vec3 t = amongCells(p);
    t[axis] = 0.5 + (isPeriodic(axis) ? mod(p[axis], float(sim.cells[axis])) : p[axis]);
    return t;
}

// How far inside the box [cells] the outermost of an axis's faces are: along the axis on its sides, else in the middles of cells.
vec3 faceMargin(int axis) { return 0.5 - 0.5 * vec3(unit(axis)); }

float velocityComponent(sampler3D velocity, vec3 p, int axis) {
    return sampleLinear(velocity, faceTexel(p, axis), sim.perFace)[axis];
}
