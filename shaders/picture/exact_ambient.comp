#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/inflow.glsl"
// The exact density where a backward path of departure_points.comp has left the box: the value outside at t = 0. 0 elsewhere.
layout(binding = 1, scalar) readonly buffer Departures { vec4 departures[]; };
layout(binding = 2) uniform writeonly image3D exactOut;
layout(push_constant, scalar) uniform Push { InflowPush inflow; };

void main() {
    ivec3 c = cell();
    if (outside(c, sim.scalarCells)) return;
    vec3 p = departures[cellIndex(c, sim.scalarCells)].xyz;
    imageStore(exactOut, c, beyondOpenSide(p) ? surroundings(p, vec3(0.0), inflow) : vec4(0.0));
}
