#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/liquid/liquid.glsl"
layout(local_size_x = WISP_LIQUID_GROUP) in;
// Moves each particle to its new index: behind the particles of its cell that came before it. This order is not random.
layout(binding = 1, scalar) readonly buffer Positions { vec4 positions[]; };
layout(binding = 2, scalar) readonly buffer Velocities { vec4 velocities[]; };
layout(binding = 3, scalar) readonly buffer Gradients { vec4 gradients[]; };  // only with APIC
layout(binding = 4, scalar) readonly buffer Ranks { uint ranks[]; };
layout(binding = 5, scalar) readonly buffer Counts { uint counts[]; };
layout(binding = 6, scalar) readonly buffer CellFirstBefore { uint cellFirstBefore[]; };
layout(binding = 7, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(binding = 8, scalar) readonly buffer Order { uint order[]; };
layout(binding = 9, scalar) writeonly buffer PositionsOut { vec4 positionsOut[]; };
layout(binding = 10, scalar) writeonly buffer VelocitiesOut { vec4 velocitiesOut[]; };
layout(binding = 11, scalar) writeonly buffer GradientsOut { vec4 gradientsOut[]; };

void main() {
    uint n = gl_GlobalInvocationID.x;
    // clears the entries behind the last particle, so that checkpoints are identical
    if (n >= cellFirst[cellTotal()] && n < uint(positionsOut.length())) {
        positionsOut[n] = velocitiesOut[n] = vec4(0.0);
        if (kAffine) for (uint axis = 0u; axis < 3u; ++axis) gradientsOut[3u * n + axis] = vec4(0.0);
    }
    if (n >= cellFirstBefore[cellTotal()] || ranks[n] == kNowhere) return;
    uint c = cellOf(positions[n].xyz), first = cellFirst[c], end = first + counts[c], to = first;
    for (uint k = first; k < end; ++k) to += order[k] < n ? 1u : 0u;
    positionsOut[to] = positions[n];
    velocitiesOut[to] = velocities[n];
    if (!kAffine) return;
    for (uint axis = 0u; axis < 3u; ++axis) gradientsOut[3u * to + axis] = gradients[3u * n + axis];
}
