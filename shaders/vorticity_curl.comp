#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
// omega = curl u at cell centres [1/s], w = |omega|. Fedkiw, Stam, Jensen 2001, eq. 9. Central differences, second order.
// Of the velocity at the step's beginning, as there: its values at cell centres are left over from the projection, so that six
// fetches do where faces would take eighteen.
layout(binding = 1) uniform sampler3D centre;
layout(binding = 2) uniform writeonly image3D curl;

// 2 h times the derivative along an axis, clamped to the box.
vec3 change(ivec3 c, int axis) {
    return texelFetch(centre, inGrid(c + unit(axis), sim.cells), 0).xyz - texelFetch(centre, inGrid(c - unit(axis), sim.cells), 0).xyz;
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    vec3 dx = change(c, 0), dy = change(c, 1), dz = change(c, 2);
    vec3 omega = vec3(dy.z - dz.y, dz.x - dx.z, dx.y - dy.x) * (0.5 / sim.h);
    imageStore(curl, c, vec4(omega, length(omega)));
}
