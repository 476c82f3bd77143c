#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
#include "shared/pressure_level.h"
// Right-hand side of the pressure of a liquid, b = -h^2 (div u - s) [m^2/s] in FLUID cells, and q = 0 in others. s = rate (rho - 1) lets
// crowded places widen, and thin ones inside the liquid close, where rho, of linear weights, depends on no EMPTY cell.
layout(binding = 3, scalar) writeonly buffer RhsOut { float rhsOut[]; };
layout(binding = 4, scalar) readonly buffer Surface { vec2 surface[]; };
layout(binding = 5, scalar) buffer PressureInOut { float pressure[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; float densityRate; };
const float kMost = 0.5;  // of |rho - 1|: a few particles too many in one place would blow up the water

bool isInside(ivec3 c) {  // no cell around is EMPTY
    bool inside = true;
    for (int n = 0; n < rolled(27); ++n) {
        ivec3 near = c + ivec3(n % 3, (n / 3) % 3, n / 9) - 1;
        bool empty = outside(near, sim.cells) ? beyondOpenSide(vec3(near) + 0.5) : surface[placeOf(near, sim.cells)].x >= 0.0 && texelFetch(openness, near, 0).w > 0.0;
        inside = inside && !empty;
    }
    return inside;
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    int i = cellIndex(level, c);
    vec2 own = surface[placeOf(c, sim.cells)];
    bool fluid = own.x < 0.0;
    float s = fluid && (own.y > 1.0 || isInside(c)) ? densityRate * clamp(own.y - 1.0, -kMost, kMost) : 0.0;
    s *= texelFetch(openness, c, 0).w;  // of the room that there is: what widens has to leave through the open shares
    rhsOut[i] = fluid ? -sim.h * sim.h * (blockDivergence(c, 1, false) - s) : 0.0;
    if (!fluid) pressure[i] = 0.0;
}
