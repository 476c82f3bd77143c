#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2, local_size_z_id = 17) in;  // long rows of buffers
#include "shared/vectors.glsl"
// omega = curl u at cell centres [1/s], w = |omega|. Fedkiw, Stam, Jensen 2001, eq. 9. Central differences, second order.
// Of the velocity at the step's beginning, as there: its values at cell centres are left over from the projection, so that six
// fetches do where faces would take eighteen.
VECTORS_IN(1, centre);
VECTORS_OUT(2, curl);
layout(push_constant, scalar) uniform Push { VectorsIn centreAddress; VectorsOut curlAddress; };

#include "shared/curl.glsl"

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    uint place = placeOf(c, sim.cells);
    vec3 omega = curlAt(place, c);
    STORE(curl, place, vec4(omega, length(omega)))
}
