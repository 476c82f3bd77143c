#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// p = z + beta p with beta = -z.w / p.w. This makes the new p conjugate to the old one, also if the preconditioner is not symmetric. p = z
// in the first iteration and after a step that was shortened.
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 256) in;
layout(binding = 1, scalar) readonly buffer Preconditioned { float preconditioned[]; };
layout(binding = 2, scalar) buffer Direction { float direction[]; };
layout(binding = 3, scalar) readonly buffer Dots { float dots[]; };  // of cg_dot.comp
layout(push_constant, scalar) uniform Push { int count; int first; float tolerance; };
#include "shared/cg.glsl"
#include "shared/stop.glsl"

void main() {
    int i = int((gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex);
    if (i >= count || converged(tolerance)) return;
    float z = preconditioned[i];
    bool alone = first != 0 || overshoots();
    direction[i] = alone ? z : z - ratio(dots[0], products[0]) * direction[i];
}
