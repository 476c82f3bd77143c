#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
// omega = curl u at cell centres [1/s], w = |omega|. Fedkiw, Stam, Jensen 2001, eq. 9. Central differences, second order.
layout(binding = 1) uniform sampler3D velocity;
layout(binding = 2) uniform writeonly image3D curl;

// Twice the component at the centre of cell c, clamped to the box.
float twice(ivec3 c, int component) {
    c = clamp(c, ivec3(0), sim.cells - 1);
    return texelFetch(velocity, c, 0)[component] + texelFetch(velocity, c + unit(component), 0)[component];
}

float slope(ivec3 c, int component, int along) {
    return (twice(c + unit(along), component) - twice(c - unit(along), component)) / (4.0 * sim.h);
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    vec3 omega = vec3(slope(c, 2, 1) - slope(c, 1, 2), slope(c, 0, 2) - slope(c, 2, 0), slope(c, 1, 0) - slope(c, 0, 1));
    imageStore(curl, c, vec4(omega, length(omega)));
}
