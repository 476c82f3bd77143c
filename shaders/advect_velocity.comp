#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/velocity.glsl"
#include "shared/trace.glsl"
// Semi-Lagrangian: u'(x) = u(x - path) on every face, path by the midpoint rule (Stam 1999). First order.
// What enters through a side that is no wall moves with the surroundings: carrying the edge's own velocity inwards instead
// would feed energy in wherever an eddy crosses an open side.
layout(binding = 1) uniform sampler3D velocity;  // projected [m/s]
layout(binding = 2) uniform sampler3D centre;    // the same at cell centres
layout(binding = 3) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { float keep; };  // exp(-rate dt) of the velocity's decay

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec4 u = vec4(0.0);
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (!faceExists(c, axis)) continue;
        vec3 p = facePoint(c, axis);
        vec3 from = trace(centre, p, sampleLinear(centre, p).xyz, -1.0);
        u[axis] = keep * (beyondOpenSide(from) ? sim.inflow[axis] : velocityComponent(velocity, from, axis));
    }
    imageStore(velocityOut, c, u);
}
