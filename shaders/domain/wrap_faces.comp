#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
layout(local_size_x = 16, local_size_y = 16) in;
// On a periodic axis the texels past the last cells repeat the first ones, f(n) = f(0), so that samples and differences at the seam need no
// special case. In place; one plane of threads per axis.
layout(binding = 1) uniform sampler3D facesIn;
layout(binding = 2) uniform writeonly image3D facesOut;

void main() {
    int axis = cell().z;
    if (!isPeriodic(axis)) return;
    ivec3 c;
    c[axis] = sim.cells[axis];
    c[(axis + 1) % 3] = cell().x;
    c[(axis + 2) % 3] = cell().y;
    if (outside(c, sim.cells + 1)) return;
    for (int lower = 0; lower < axis; ++lower) {
        if (isPeriodic(lower) && c[lower] == sim.cells[lower]) return;  // the other plane writes the common edge
    }
    imageStore(facesOut, c, texelFetch(facesIn, wrapped(c, sim.cells), 0));
}
