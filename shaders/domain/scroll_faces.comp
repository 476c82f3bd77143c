#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/ambient_flow.glsl"
// Moves the velocity to the new position of the box. Faces that were in the box before keep their values bit for bit. Faces that enter have
// the velocity of the ambient flow, with gusts.
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { ivec3 shift; AmbientFlow air; };  // shift: cells by which the box has moved

void main() {
    ivec3 c = cell(), from = c + shift;
    if (outside(c, sim.cells + 1)) return;
    vec3 u = vec3(0.0);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        if (!faceExists(c, axis)) continue;
        u[axis] = faceExists(from, axis) ? texelFetch(velocityIn, from, 0)[axis] : ambientFlow(facePoint(c, axis), air)[axis];
    }
    imageStore(velocityOut, c, velocityToStorage(u));
}
