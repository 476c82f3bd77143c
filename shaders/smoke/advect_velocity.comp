#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/velocity.glsl"
#include "shared/paths.glsl"
#include "shared/ambient_flow.glsl"
// Semi-Lagrangian advection: u'(x) = u(x - path) on every face (Stam 1999). First order. Flow that enters through a side that is not a wall
// has the velocity of the ambient flow. Carrying the velocity of the edge inwards instead would add energy wherever an eddy crosses an open
// side.
layout(binding = 1) uniform sampler3D velocity;  // projected [m/s]
layout(binding = 3) uniform writeonly image3D velocityOut;
VECTORS_IN(2, back);  // displacements of backtrace.comp
// keep: decay factor of the velocity, exp(-rate dt)
layout(push_constant, scalar) uniform Push { VectorsIn backAddress; float keep; AmbientFlow air; };

void compute(ivec3 c) {
    if (outside(c, sim.cells + 1)) return;
    vec4 u = vec4(0.0);
    mat3 displacement = FACE_DISPLACEMENTS(back, facePlaces(c));
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        if (!faceExists(c, axis)) continue;
        vec3 from = facePoint(c, axis) + displacement[axis];
        float value = velocityComponent(velocity, from, axis), share = ambientWeight(from, faceMargin(axis));
        if (share > 0.0) value = mix(value, ambientFlow(from, air)[axis], share);
        u[axis] = keep * value;
    }
    imageStore(velocityOut, ownTexel(c), velocityToStorage(u.xyz));
}
#include "shared/each_cell.glsl"
