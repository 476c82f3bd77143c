#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/velocity.glsl"
// Semi-Lagrangian: u'(x) = u(x - path) on every face, path by the midpoint rule (Stam 1999). First order.
layout(binding = 1) uniform sampler3D velocity;  // projected [m/s]
layout(binding = 3) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { float keep; };  // exp(-rate dt) of the velocity's decay

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec4 u = vec4(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        if (faceExists(c, axis)) u[axis] = keep * velocityComponent(velocity, trace(velocity, facePoint(c, axis), -1.0), axis);
    }
    imageStore(velocityOut, c, u);
}
