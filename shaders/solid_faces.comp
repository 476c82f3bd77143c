#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/solids.glsl"
// A closed face carries the solid's normal velocity (Neumann): u = u_s where alpha = 0. In place. Apart from project.comp
// because the obstacles' code would take its registers.
layout(binding = 1) uniform sampler3D openness;
layout(binding = 2) uniform sampler3D velocityIn;
layout(binding = 3) uniform writeonly image3D velocityOut;

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec3 alpha = texelFetch(openness, c, 0).xyz;
    if (all(greaterThan(alpha, vec3(0.0)))) return;
    vec4 u = texelFetch(velocityIn, c, 0);
    for (int axis = 0; axis < 3; ++axis) {
        if (alpha[axis] == 0.0 && faceExists(c, axis)) u[axis] = solidVelocity(c, axis);
    }
    imageStore(velocityOut, c, u);
}
