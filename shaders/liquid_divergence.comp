#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
#include "shared/pressure_level.h"
// Right-hand side of the pressure of a liquid, b = -h^2 (div u - s) [m^2/s] in FLUID cells, and q = 0 in others. s = rate (rho - 1) lets
// crowded places widen, and thin ones inside the liquid close, where rho, of linear weights, depends on no EMPTY cell. Inside a place is
// crowded, or thin, as far as it is and the mean of what is around is, too: that eight particles in a cell lie by chance is neither.
layout(binding = 3, scalar) writeonly buffer RhsOut { float rhsOut[]; };
layout(binding = 4, scalar) readonly buffer Surface { vec2 surface[]; };
layout(binding = 5, scalar) buffer PressureInOut { float pressure[]; };
layout(binding = 6, scalar) readonly buffer Air { uint air; };  // 0 in a closed box that is full to the brim: it cannot widen
layout(push_constant, scalar) uniform Push { PressureLevel level; float densityRate; };
#include "shared/inside_liquid.glsl"
#include "shared/crowding.glsl"

float minmod(float a, float b) { return a * b <= 0.0 ? 0.0 : abs(a) < abs(b) ? a : b; }

// Of the cells around, by weights 1 2 1 along each axis.
float meanDensity(ivec3 c) {
    float sum = 0.0, weights = 0.0;
    for (int n = 0; n < rolled(27); ++n) {
        ivec3 o = ivec3(n % 3, (n / 3) % 3, n / 9) - 1, near = c + o, w = 2 - abs(o);
        if (outside(near, sim.cells) || texelFetch(openness, near, 0).w == 0.0) continue;
        sum += float(w.x * w.y * w.z) * surface[placeOf(near, sim.cells)].y;
        weights += float(w.x * w.y * w.z);
    }
    return sum / weights;
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    int i = cellIndex(level, c);
    vec2 own = surface[placeOf(c, sim.cells)];
    bool fluid = own.x < 0.0;
    float excess = fluid && isInside(c) ? minmod(own.y - 1.0, meanDensity(c) - 1.0) : max(own.y - 1.0, 0.0);
    float s = crowding(excess, texelFetch(openness, c, 0).w, densityRate * float(air));
    rhsOut[i] = fluid ? -sim.h * sim.h * (blockDivergence(c, 1, false) - s) : 0.0;
    if (!fluid) pressure[i] = 0.0;
}
