#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/grid.glsl"
#include "shared/shapes.glsl"
#include "shared/shape_push.h"
#include "shared/limits.glsl"
// Velocity at t = 0 [m/s]: constant inside a shape, or the Taylor-Green vortex u = U sin(pi x / a) cos(pi y / b), v = -U b / a cos(pi
// x / a) sin(pi y / b), which is steady in a closed free-slip box a x b. Along periodic axes it has whole waves.
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { ShapePush push; };
const float kPi = 3.14159265358979;

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1) || !isStored(c)) return;
    vec4 u = texelFetch(velocityIn, texelOf(c), 0);
    for (int axis = 0; axis < kAxes; ++axis) {
        if (!faceExists(c, axis)) continue;
        vec3 p = facePoint(c, axis);
        if (push.field == WISP_FIELD_TAYLOR_GREEN) {
            vec3 k = kPi * mix(vec3(1.0), vec3(2.0), periodicAxes()) / vec3(sim.cells), a = k * p;
            float aspect = k.x / k.y;
            u[axis] = push.velocity.x * vec3(sin(a.x) * cos(a.y), -aspect * cos(a.x) * sin(a.y), 0.0)[axis];
        } else if (push.field == WISP_FIELD_SHAPE && signedDistance(push.shape, worldPoint(p)) <= 0.0) {
            u[axis] = push.velocity[axis];
        }
    }
    imageStore(velocityOut, texelOf(c), velocityToStorage(u.xyz));
}
