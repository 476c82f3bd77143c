#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/liquid/liquid.glsl"
layout(local_size_x = WISP_LIQUID_GROUP) in;
// First pass of a counting sort of particles by cell: the number of particles in each cell, and the rank of each particle in its cell, in
// random order. Particles that have left the box, are NaN or infinite, or are surplus are counted separately. They are deleted here, before
// any pass uses their values.
layout(binding = 1, scalar) readonly buffer Positions { vec4 positions[]; };
layout(binding = 2, scalar) readonly buffer Velocities { vec4 velocities[]; };
layout(binding = 3, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(binding = 4, scalar) buffer Counts { uint counts[]; };
layout(binding = 5, scalar) writeonly buffer RanksOut { uint ranksOut[]; };
layout(binding = 6, scalar) buffer Removed { uint removed[3]; };
layout(binding = 7, scalar) buffer Taken { uint taken[]; };  // bit masks of the sub-cells of each cell that contain a particle
layout(push_constant, scalar) uniform Push { int edge; };    // sub-cells along an edge

void main() {
    uint n = gl_GlobalInvocationID.x;
    if (n >= cellFirst[cellTotal()]) return;
    vec3 p = positions[n].xyz;
    bool isFinite = isNumber(p) && isNumber(velocities[n].xyz);
    if (isFinite && positions[n].w == WISP_LIQUID_HERE && isInBox(p)) {
        uint c = cellOf(p);
        ranksOut[n] = atomicAdd(counts[c], 1u);
        atomicOr(taken[c], 1u << partOf(p, cellAt(c), edge));
    } else {
        ranksOut[n] = kNowhere;
        atomicAdd(removed[!isFinite ? 1 : positions[n].w == WISP_LIQUID_SURPLUS ? 2 : 0], 1u);
    }
}
