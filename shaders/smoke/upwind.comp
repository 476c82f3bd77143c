#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/prescribed.glsl"
#include "shared/inflow.glsl"
// First-order upwind (Courant, Isaacson, Rees 1952) along a prescribed field: s' = s - sum over axes of lambda (u+ (s - below) + u-
// (above - s)), with the velocities on the cell's own faces and lambda = dt / edge of a scalar cell. If the field is free of divergence,
// this is the flux through the faces. The result is always a mean of values if lambda times the speeds is at most 1. If it is 1 along an
// axis, the result is an exact shift. If it is larger, steps are divided (compute/scene/prescribed.cpp).
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 2) uniform writeonly image3D scalarsOut;
layout(push_constant, scalar) uniform Push { vec4 keep; float dt; InflowPush inflow; };

// Value of scalar cell c. Outside the box it is the value outside, and beyond walls the value before the wall.
vec4 around(ivec3 c) {
    ivec3 n = inGrid(c, sim.scalarCells);
    if (n == wrapped(c, sim.scalarCells)) return texelFetch(scalarsIn, n, 0);
    for (int a = 0; a < kAxes; ++a) {
        if (c[a] < 0 && sim.sidesLow[a] == WISP_WALL) return texelFetch(scalarsIn, n, 0);
        if (c[a] >= sim.scalarCells[a] && sim.sidesHigh[a] == WISP_WALL) return texelFetch(scalarsIn, n, 0);
    }
    return surroundings(scalarPoint(c), vec3(0.0), inflow);
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.scalarCells)) return;
    vec3 s = scalarsPerCell(), lambda = dt / sim.h * s;
    vec4 value = vec4(0.0);
    float ownWeight = 1.0;  // weight of the cell's own value: with a mean, a weight of 1 is exact
    for (int a = 0; a < kAxes; ++a) {
        vec3 half_ = 0.5 * vec3(unit(a)) / s, p = scalarPoint(c);
        float low = prescribedVelocity(p - half_)[a], high = prescribedVelocity(p + half_)[a];
        float below = lambda[a] * max(low, 0.0), above = lambda[a] * max(-high, 0.0);
        value += below * around(c - unit(a)) + above * around(c + unit(a));
        ownWeight -= below + above;
    }
    imageStore(scalarsOut, c, toStorage(keep * (value + ownWeight * texelFetch(scalarsIn, c, 0))));
}
