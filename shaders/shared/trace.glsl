// SPDX-License-Identifier: MIT
// Paths along the velocity at cell centres. Needs shared/grid.glsl and shared/sampling.glsl.

// Where the fluid at p comes from (direction = -1) or goes to (+1) within a step: midpoint rule, second order.
// `u` = velocity at p.
vec3 trace(sampler3D centre, vec3 p, vec3 u, float direction) {
    float s = direction * sim.dt / sim.h;
    return p + s * sampleLinear(centre, p + 0.5 * s * u).xyz;
}

bool insideBox(vec3 p) { return all(greaterThanEqual(p, vec3(0.0))) && all(lessThanEqual(p, vec3(sim.cells))); }

// Whether p has left the box through a side that is no wall: what comes from there is the surroundings.
bool beyondOpenSide(vec3 p) {
    if (insideBox(p)) return false;
    for (int a = 0; a < 3; ++a) {
        if (p[a] < 0.0 && sim.sidesLow[a] != WISP_WALL) return true;
        if (p[a] > float(sim.cells[a]) && sim.sidesHigh[a] != WISP_WALL) return true;
    }
    return false;
}
