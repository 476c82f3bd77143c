// SPDX-License-Identifier: MIT
// Reads the paths of backtrace.comp: `back` and, if WISP_AHEAD is defined, `ahead`. Needs shared/grid.glsl and push constants with their
// addresses.
#include "shared/vectors.glsl"

// Indices of cell c and of the cell below it along each axis: the two cells beside each of its low faces.
uvec4 facePlaces(ivec3 c) {
    uint place = placeOf(inGrid(c, sim.cells));
    return uvec4(place, below(place, c, 0), below(place, c, 1), below(place, c, 2));
}
mat3 faceMeans(vec3 here, vec3 x, vec3 y, vec3 z) { return mat3(0.5 * (here + x), 0.5 * (here + y), 0.5 * (here + z)); }
// Displacements [cells] of the three low faces of cell c.
#define FACE_DISPLACEMENTS(paths, places) \
    faceMeans(LOAD(paths, places.x).xyz, LOAD(paths, places.y).xyz, LOAD(paths, places.z).xyz, LOAD(paths, places.w).xyz)

// Displacement [cells] of scalar cell c; trilinear if the scalar grid is finer than the grid of the paths.
#define SCALAR_DISPLACEMENT(paths)                                                                  \
    vec3 paths##OfScalar(ivec3 c) {                                                                 \
        if (kScalarRatio == 1) return LOAD(paths, placeOf(c)).xyz;                                    \
        vec3 t = scalarPoint(c) - 0.5, f = fract(t), sum = vec3(0.0);                               \
        ivec3 base = ivec3(floor(t));                                                               \
        [[unroll]] for (int n = 0; n < kCorners; ++n) {                                                    \
            ivec3 o = ivec3(n & 1, (n >> 1) & 1, n >> 2);                                           \
            vec3 w = mix(vec3(1.0) - f, f, vec3(o));                                                \
            sum += w.x * w.y * w.z * LOAD(paths, placeOf(inGrid(base + o, sim.cells))).xyz;          \
        }                                                                                           \
        return sum;                                                                                 \
    }
