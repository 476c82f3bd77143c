#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/out_of_obstacles.glsl"
#include "shared/liquid/liquid.glsl"
#include "shared/reduce.glsl"
// Sums over particles: 1, |u|^2 / 2, -g . x, number inside solids, number that are NaN or infinite; maximum of |u|.
layout(binding = 1, scalar) readonly buffer Positions { vec4 positions[]; };
layout(binding = 3, scalar) readonly buffer Velocities { vec4 velocities[]; };
layout(binding = 4, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(push_constant, scalar) uniform Push { vec3 gravity; };  // [m/s^2]

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    int end = int(cellFirst[cellTotal()]);
    for (int n = firstValue(); n < end; n += nextValue()) {
        vec3 p = positions[n].xyz, u = velocities[n].xyz;
        bool isFinite = isNumber(p) && isNumber(u);
        v[4] += isFinite ? 0.0 : 1.0;
        if (!isFinite) continue;
        v[0] += 1.0;
        v[1] += 0.5 * dot(u, u);
        v[2] -= dot(gravity, p * sim.h);
        v[3] += obstacleAt(p) < 2.0 * kInside ? 1.0 : 0.0;
        v[7] = max(v[7], length(u));
    }
    reduceGroup(v);
}
