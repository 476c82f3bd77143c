// SPDX-License-Identifier: MIT
// A quantity on coarse faces, at a fine face. On a coarse face it varies linearly around the coarse value, with slopes by
// central differences, so that the mean is kept and the result is second order; between two coarse faces it is interpolated.
// w of the coarse field holds one bit an axis: set where that face is wholly open. Needs shared/grid.glsl.

bool whollyOpen(vec4 coarse, int axis) { return (int(coarse.w) & (1 << axis)) != 0; }

float onCoarseFace(sampler3D field, ivec3 C, int axis, vec3 offset) {
    vec4 here = texelFetch(field, C, 0);
    float value = here[axis];
    if (!whollyOpen(here, axis)) return value;
    for (int n = 1; n < 3; ++n) {
        int t = (axis + n) % 3;
        if (C[t] == 0 || C[t] + 1 >= sim.pressureCells[t]) continue;
        vec4 below = texelFetch(field, C - unit(t), 0), above = texelFetch(field, C + unit(t), 0);
        if (whollyOpen(below, axis) && whollyOpen(above, axis)) value += 0.5 * (above[axis] - below[axis]) * offset[t];
    }
    return value;
}

float upsampleFace(sampler3D field, ivec3 face, int axis) {
    int r = sim.ratio;
    ivec3 C = face / r;
    if (r == 1) return texelFetch(field, C, 0)[axis];
    vec3 offset = (vec3(face - C * r) + 0.5) / float(r) - 0.5;  // from the coarse face's centre, in coarse cells
    int inside = face[axis] - C[axis] * r;
    float low = onCoarseFace(field, C, axis, offset);
    if (inside == 0) return low;
    int extent = min((C[axis] + 1) * r, sim.cells[axis]) - C[axis] * r;  // the last block may be cut short
    float high = onCoarseFace(field, C + unit(axis), axis, offset);
    return mix(low, high, float(inside) / float(extent));
}
