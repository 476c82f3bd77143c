// SPDX-License-Identifier: MIT
// Curl of the velocity at cell centres by central differences over two cells, clamped to the box; second order.
// Needs VECTORS_IN(n, centre) of shared/vectors.glsl and its push constants.

// 2 h times the derivative along an axis.
vec3 change(uint place, ivec3 c, int axis) { return LOAD(centre, above(place, c, axis)).xyz - LOAD(centre, below(place, c, axis)).xyz; }

// omega [1/s] of cell c, whose index is `place`.
vec3 curlAt(uint place, ivec3 c) {
    vec3 dx = change(place, c, 0), dy = change(place, c, 1), dz = change(place, c, 2);
    return vec3(dy.z - dz.y, dz.x - dx.z, dx.y - dy.x) * (0.5 / sim.h);
}
