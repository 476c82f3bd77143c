#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/prescribed.glsl"
#include "shared/inflow.glsl"
// Position at t = 0 of the fluid at the centre of each scalar cell. In a steady field, the backward path of one more step begins where the
// path so far ends. Fourth-order Runge-Kutta [cells]. Outside the box, fluid moves with the inflow. At open sides it does not move: there
// is nothing outside.
layout(binding = 1, scalar) buffer Departures { vec4 departures[]; };
layout(push_constant, scalar) uniform Push { DeparturePointsPush push; };

vec3 speedAt(vec3 p) {  // [cells/s]
    if (!beyondOpenSide(p)) return prescribedVelocity(p) / sim.h;
    return beyondInflow(p, vec3(0.0)) ? sim.inflow / sim.h : vec3(0.0);
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.scalarCells)) return;
    uint place = cellIndex(c, sim.scalarCells);
    vec3 p = push.parts == 0 ? scalarPoint(c) : departures[place].xyz;
    float t = -push.dt / float(max(push.parts, 1));
    for (int n = 0; n < opaqueToCompiler(push.parts); ++n) {
        vec3 a = speedAt(p), b = speedAt(p + 0.5 * t * a), k = speedAt(p + 0.5 * t * b), d = speedAt(p + t * k);
        p += t / 6.0 * (a + 2.0 * (b + k) + d);
    }
    for (int a = 0; a < 3; ++a) {  // values from beyond a wall are those before the wall
        if (sim.sidesLow[a] == WISP_WALL) p[a] = max(p[a], 0.0);
        if (sim.sidesHigh[a] == WISP_WALL) p[a] = min(p[a], float(sim.cells[a]));
    }
    p = mix(p, mod(p, vec3(sim.cells)), periodicAxes());
    departures[place] = vec4(p, 0.0);
}
