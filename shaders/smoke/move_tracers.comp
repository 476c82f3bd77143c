#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/velocity_anywhere.glsl"
#include "shared/tracers.glsl"
// dx/dt = u(x) by the midpoint rule, second order. A tracer that enters an obstacle is moved to the obstacle's surface along the gradient
// of the distance. A tracer that leaves the box, or whose lifetime is over, is spawned again.
layout(binding = 1, scalar) buffer Tracers { vec4 tracers[]; };
layout(binding = 3) uniform sampler3D velocity;  // projected [m/s], on faces

vec3 velocityAt(vec3 p) {  // [cells/s]
    vec3 u = vec3(0.0);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) u[axis] = componentAnywhere(velocity, p, axis) / sim.h;
    return u;
}

void main() {
    uint n = gl_GlobalInvocationID.x;
    if (n >= push.count) return;
    vec4 tracer = tracers[n];
    vec3 p = tracer.xyz - vec3(push.scrolled);
    p += sim.dt * velocityAt(p + 0.5 * sim.dt * velocityAt(p));
    p = outOfObstacles(p, 2);
    p = mix(p, mod(p, vec3(sim.cells)), periodicAxes());
    // also tested along periodic axes, because it rejects NaN
    bool inBox = all(greaterThanEqual(p, vec3(0.0))) && all(lessThanEqual(p, vec3(sim.cells)));
    bool lives = tracer.w > sim.dt && inBox && obstacleAt(p) >= kInside;
    tracers[n] = lives ? vec4(p, tracer.w - sim.dt) : born(n, push.lifetime);
}
