// SPDX-License-Identifier: MIT
// Paths of trace.comp, and where they leave the box. Needs shared/grid.glsl, shared/sampling.glsl.

// Displacements [cells] of the three low faces of cell c: the mean of the two cells beside each.
mat3 faceDisplacements(sampler3D displacement, ivec3 c) {
    ivec3 last = sim.cells - 1;
    vec3 here = texelFetch(displacement, min(c, last), 0).xyz;
    mat3 d;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        d[axis] = 0.5 * (here + texelFetch(displacement, clamp(c - unit(axis), ivec3(0), last), 0).xyz);
    }
    return d;
}

// Displacement [cells] of scalar cell c. Sampled where the scalar grid is finer than the paths'.
vec3 scalarDisplacement(sampler3D displacement, ivec3 c) {
    if (sim.scalarRatio == 1) return texelFetch(displacement, c, 0).xyz;
    return sampleLinear(displacement, (vec3(c) + 0.5) / float(sim.scalarRatio), sim.perCell).xyz;
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
