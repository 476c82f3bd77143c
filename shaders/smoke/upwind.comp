#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/prescribed.glsl"
#include "shared/inflow.glsl"
// First-order upwind (Courant, Isaacson, Rees 1952) along a field that is given: s' = s - sum over axes of lambda (u+ (s - below) + u-
// (above - s)), with the
// velocities on the cell's own faces and lambda = dt / edge of a scalar cell. Where the field is free of divergence that is what flows
// through the faces; everywhere the result is
// a mean of values, if lambda times the speeds is at most 1. There along an axis it is an exact shift. Where it is not, steps are cut
// (compute/scene/prescribed.cpp).
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 2) uniform writeonly image3D scalarsOut;
layout(push_constant, scalar) uniform Push { vec4 keep; float dt; InflowPush inflow; };

// At scalar cell c, or outside: the surroundings, and along walls what is before them.
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
    float left = 1.0;  // of what is here: as a mean, so that a share of 1 is exact
    for (int a = 0; a < kAxes; ++a) {
        vec3 half_ = 0.5 * vec3(unit(a)) / s, p = scalarPoint(c);
        float low = prescribedVelocity(p - half_)[a], high = prescribedVelocity(p + half_)[a];
        float below = lambda[a] * max(low, 0.0), above = lambda[a] * max(-high, 0.0);
        value += below * around(c - unit(a)) + above * around(c + unit(a));
        left -= below + above;
    }
    imageStore(scalarsOut, c, toStorage(keep * (value + left * texelFetch(scalarsIn, c, 0))));
}
