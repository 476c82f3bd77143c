#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
#include "shared/reduce.glsl"
// Sums over cells: volume of liquid [cells]; div^2 and 1 of FLUID cells; maximum of |div|. A FLUID cell without an EMPTY neighbour is full.
// Other cells contain the volume below a plane at their distance.
layout(binding = 3, scalar) readonly buffer Surface { vec2 surface[]; };

bool isEmpty(ivec3 c) { return !outside(c, sim.cells) && surface[cellIndex(c, sim.cells)].x >= 0.0 && texelFetch(aperture, c, 0).w > 0.0; }

void main() {
    ivec3 c = linearCell(sim.cells);
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    if (!outside(c, sim.cells)) {
        float open = texelFetch(aperture, c, 0).w, phi = surface[cellIndex(c, sim.cells)].x;
        bool full = phi < 0.0;
        for (int n = 0; n < 6; ++n) full = full && !isEmpty(c + (n < 3 ? unit(n) : -unit(n - 3)));
        v[0] = full ? open : open * clamp(0.5 - phi, 0.0, 1.0);
        if (phi < 0.0) {
            float div = blockDivergence(c, 1, false);
            v[1] = div * div;
            v[2] = 1.0;
            v[6] = abs(div);
        }
    }
    reduceGroup(v);
}
