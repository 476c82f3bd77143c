#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
layout(local_size_x = 16, local_size_y = 16) in;
// On a periodic axis the texels past the last cells are those of the first ones again, f(n) = f(0), so that samples and
// differences next to the seam need not know of it. In place; a plane of threads for each axis.
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
        if (isPeriodic(lower) && c[lower] == sim.cells[lower]) return;  // the edge is the other plane's
    }
    imageStore(facesOut, c, texelFetch(facesIn, wrapped(c, sim.cells), 0));
}
