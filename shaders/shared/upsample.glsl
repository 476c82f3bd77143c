// SPDX-License-Identifier: MIT
// A quantity on coarse faces, at the fine faces of cell c. On a coarse face it varies linearly around the coarse value, with
// slopes by central differences, so that the mean is kept and the result is second order; between two coarse faces it is
// interpolated. w of the coarse field holds one bit an axis, set where that face is wholly open: only there are slopes taken,
// and only from such faces. Needs shared/grid.glsl.

bool whollyOpen(vec4 coarse, int axis) { return (int(coarse.w) & (1 << axis)) != 0; }

// Where the three low faces of fine cell c lie among the coarse faces.
struct FinePlace {
    ivec3 C;       // coarse cell
    ivec3 inside;  // fine cells from C's low faces
    vec3 offset;   // tangentially from a coarse face's centre, in coarse cells
};

FinePlace finePlace(ivec3 c) {
    FinePlace place;
    place.C = c / sim.ratio;
    place.inside = c - place.C * sim.ratio;
    place.offset = (vec3(place.inside) + 0.5) / float(sim.ratio) - 0.5;
    return place;
}

// How far between the coarse faces below (0) and above (1) the fine face lies; the last block may be cut short.
float between(FinePlace place, int axis) {
    int extent = min((place.C[axis] + 1) * sim.ratio, sim.cells[axis]) - place.C[axis] * sim.ratio;
    return float(place.inside[axis]) / float(max(extent, 1));
}

// The value on coarse face F (whose texel is `here`), with slopes along it.
float onCoarseFace(sampler3D field, vec4 here, ivec3 F, int axis, vec3 offset) {
    float value = here[axis];
    if (sim.ratio == 1 || !whollyOpen(here, axis)) return value;
    [[unroll]] for (int n = 1; n < 3; ++n) {
        int t = (axis + n) % 3;
        if (F[t] == 0 || F[t] + 1 >= sim.pressureCells[t]) continue;
        vec4 below = texelFetch(field, F - unit(t), 0), above = texelFetch(field, F + unit(t), 0);
        if (whollyOpen(below, axis) && whollyOpen(above, axis)) value += 0.5 * (above[axis] - below[axis]) * offset[t];
    }
    return value;
}
