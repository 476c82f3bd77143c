#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
layout(local_size_x = 32, local_size_x_id = 28, local_size_y = 4, local_size_z = 2, local_size_z_id = 17) in;  // long rows, for buffers
#include "shared/grid.glsl"
#include "shared/vectors.glsl"
// omega = curl u at cell centres [1/s], w = |omega|. Fedkiw, Stam, Jensen 2001, eq. 9. Central differences, second order. Uses the velocity
// at the beginning of the step, as the paper does. The projection leaves its values at cell centres, so that six fetches are enough where
// faces would need eighteen.
VECTORS_IN(1, centre);
VECTORS_OUT(2, curl);
layout(push_constant, scalar) uniform Push { VectorsIn centreAddress; VectorsOut curlAddress; };

#include "shared/curl.glsl"

void compute(ivec3 c) {
    if (outside(c, sim.cells)) return;
    uint place = kSparse ? ownPlace(c) : cellIndex(c, sim.cells);
    vec3 omega = curlAt(place, c);
    STORE(curl, place, vec4(omega, length(omega)))
}
#include "shared/each_cell.glsl"
