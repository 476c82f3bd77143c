#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/reduce.glsl"
#include "shared/grid.glsl"
#include "shared/vectors.glsl"
// Force on the fluid over rho h^3: the sum over cells of a [m/s^2] from forces.comp, times the mean open area of their two faces of each
// axis, as accelerate.comp applies it.
VECTORS_IN(1, acceleration);
layout(binding = 2) uniform sampler3D aperture;
layout(push_constant, scalar) uniform Push { VectorsIn accelerationAddress; };

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    ivec3 c = numberedCell(firstValue(), sim.cells), way = numberedCell(nextValue(), sim.cells);
    for (int n = firstValue(); n < noUnroll(cellsOf(sim.cells)); n += nextValue(), c = cellAfter(c, way, sim.cells)) {
        vec3 a = LOAD(acceleration, cellIndex(c, sim.cells)).xyz, open = texelFetch(aperture, c, 0).xyz;
        for (int axis = 0; axis < kAxes; ++axis)
            v[axis] += 0.5 * (open[axis] + texelFetch(aperture, wrapped(c + unit(axis), sim.cells), 0)[axis]) * a[axis];
    }
    reduceGroup(v);
}
