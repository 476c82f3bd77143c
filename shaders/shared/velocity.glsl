// SPDX-License-Identifier: MIT
// A staggered velocity [m/s] at any point, and the paths along it. Needs shared/grid.glsl.
#include "shared/sampling.glsl"

// Texel coordinate of component `axis` at p. Tangentially the last texel row holds nothing: stay half a cell inside.
vec3 faceTexel(vec3 p, int axis) {
    vec3 t = clamp(p, vec3(0.5), vec3(sim.cells) - 0.5);
    t[axis] = p[axis] + 0.5;
    return t;
}

float velocityComponent(sampler3D velocity, vec3 p, int axis) {
    return sampleLinear(velocity, faceTexel(p, axis))[axis];
}

vec3 velocityAt(sampler3D velocity, vec3 p) {
    return vec3(velocityComponent(velocity, p, 0), velocityComponent(velocity, p, 1), velocityComponent(velocity, p, 2));
}

// Where the fluid at p comes from (direction = -1) or goes to (+1) within a step: midpoint rule, second order.
vec3 trace(sampler3D velocity, vec3 p, float direction) {
    float s = direction * sim.dt / sim.h;
    vec3 middle = p + 0.5 * s * velocityAt(velocity, p);
    return p + s * velocityAt(velocity, middle);
}

// Whether p has left the box through a side that is no wall: what comes from there is the surroundings.
bool beyondOpenSide(vec3 p) {
    for (int a = 0; a < 3; ++a) {
        if (p[a] < 0.0 && sim.sidesLow[a] != WISP_WALL) return true;
        if (p[a] > float(sim.cells[a]) && sim.sidesHigh[a] != WISP_WALL) return true;
    }
    return false;
}
