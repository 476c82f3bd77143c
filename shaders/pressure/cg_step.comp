#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 256) in;
// q += alpha p.
layout(binding = 1, scalar) readonly buffer Direction { float direction[]; };
layout(binding = 3, scalar) buffer PressureInOut { float pressure[]; };
layout(push_constant, scalar) uniform Push { int count; float tolerance; };
#include "shared/cg.glsl"
#include "shared/stop.glsl"

void main() {
    int i = int((gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex);
    if (i >= count || converged(tolerance)) return;
    pressure[i] += stepLength() * direction[i];
}
