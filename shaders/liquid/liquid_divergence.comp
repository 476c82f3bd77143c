#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
#include "shared/pressure_level.h"
// Right-hand side of the pressure equation of a liquid: b = -h^2 div u [m^2/s] in FLUID cells. Sets q = 0 in other cells.
layout(binding = 3, scalar) writeonly buffer RhsOut { float rhsOut[]; };
layout(binding = 4, scalar) readonly buffer Surface { vec2 surface[]; };
layout(binding = 5, scalar) buffer PressureInOut { float pressure[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; };

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    int i = cellIndex(level, c);
    bool fluid = surface[cellIndex(c, sim.cells)].x < 0.0;
    rhsOut[i] = fluid ? -sim.h * sim.h * blockDivergence(c, 1, false) : 0.0;
    if (!fluid) pressure[i] = 0.0;
}
