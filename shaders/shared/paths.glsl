// SPDX-License-Identifier: MIT
// Paths of trace.comp, and where they leave the box. Needs shared/grid.glsl, shared/sampling.glsl.

// Displacements [cells] of the three low faces of cell c: the mean of the two cells beside each.
mat3 faceDisplacements(sampler3D displacement, ivec3 c) {
    vec3 here = texelFetch(displacement, inGrid(c, sim.cells), 0).xyz;
    mat3 d;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        d[axis] = 0.5 * (here + texelFetch(displacement, inGrid(c - unit(axis), sim.cells), 0).xyz);
    }
    return d;
}

// Displacement [cells] of scalar cell c. Sampled where the scalar grid is finer than the paths'.
vec3 scalarDisplacement(sampler3D displacement, ivec3 c) {
    if (sim.scalarRatio == 1) return texelFetch(displacement, c, 0).xyz;
    return sampleLinear(displacement, (vec3(c) + 0.5) / float(sim.scalarRatio), sim.perCell).xyz;
}

// Whether p has left the box through a side that is no wall: what comes from there is the surroundings.
bool beyondOpenSide(vec3 p) {
    if (insideBox(p)) return false;
    for (int a = 0; a < 3; ++a) {
        if (isPeriodic(a)) continue;
        if (p[a] < 0.0 && sim.sidesLow[a] != WISP_WALL) return true;
        if (p[a] > float(sim.cells[a]) && sim.sidesHigh[a] != WISP_WALL) return true;
    }
    return false;
}
