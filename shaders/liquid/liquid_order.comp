#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/liquid/liquid.glsl"
layout(local_size_x = WISP_LIQUID_GROUP) in;
// Writes the index of each particle into the list of its cell, in random order.
layout(binding = 1, scalar) readonly buffer Positions { vec4 positions[]; };
layout(binding = 2, scalar) readonly buffer Ranks { uint ranks[]; };
layout(binding = 3, scalar) readonly buffer CellFirstBefore { uint cellFirstBefore[]; };
layout(binding = 4, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(binding = 5, scalar) writeonly buffer OrderOut { uint orderOut[]; };

void main() {
    uint n = gl_GlobalInvocationID.x;
    if (n >= cellFirstBefore[cellTotal()] || ranks[n] == kNowhere) return;
    orderOut[cellFirst[cellOf(positions[n].xyz)] + ranks[n]] = n;
}
