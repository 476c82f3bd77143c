#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/velocity.glsl"
// omega = curl u at cell centres [1/s], w = |omega|. Fedkiw, Stam, Jensen 2001, eq. 9. Central differences, second order.
layout(binding = 1) uniform sampler3D velocity;
layout(binding = 2) uniform writeonly image3D curl;

float slope(vec3 p, int component, int along) {
    vec3 e = vec3(unit(along));
    return (velocityComponent(velocity, p + e, component) - velocityComponent(velocity, p - e, component)) / (2.0 * sim.h);
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    vec3 p = vec3(c) + 0.5;
    vec3 omega = vec3(slope(p, 2, 1) - slope(p, 1, 2), slope(p, 0, 2) - slope(p, 2, 0), slope(p, 1, 0) - slope(p, 0, 1));
    imageStore(curl, c, vec4(omega, length(omega)));
}
