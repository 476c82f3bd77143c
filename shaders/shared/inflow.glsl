// SPDX-License-Identifier: MIT
// Values outside the box. Needs shared/grid.glsl.
#include "shared/inflow.h"

// Whether p [cells] lies beyond an inflow side, or at most `margin` before it.
bool beyondInflow(vec3 p, vec3 margin) {
    for (int a = 0; a < 3; ++a) {
        if (isPeriodic(a)) continue;
        if (p[a] < margin[a] && sim.sidesLow[a] == WISP_INFLOW) return true;
        if (float(sim.cells[a]) - p[a] < margin[a] && sim.sidesHigh[a] == WISP_INFLOW) return true;
    }
    return false;
}

// Value at p [cells] outside the box or within `margin` of its sides: the inflow's pattern; 0 beyond open sides.
vec4 surroundings(vec3 p, vec3 margin, InflowPush inflow) {
    if (!beyondInflow(p, margin)) return vec4(0.0);
    if (inflow.pattern == WISP_EVEN) return inflow.value;
    vec3 x = p * sim.h - inflow.shift;
    float square = inflow.pattern == WISP_STRIPES ? floor(dot(x, inflow.along) / inflow.width)
        : floor(x.x / inflow.width) + floor(x.y / inflow.width);
    return mod(square, 2.0) == 0.0 ? inflow.value : vec4(0.0);
}
