#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
// Apertures and distances of the slots that all bricks share which are not stored: fluid far from obstacles, and the inside of a solid.
layout(binding = 1) uniform writeonly image3D apertureOut;
layout(binding = 2) uniform writeonly image3D distanceOut;  // [cells]
layout(push_constant, scalar) uniform Push { int edge; int hasDistance; };  // edge: of a slot [texels]

void main() {
    ivec3 c = cell();
    if (outside(c, ivec3(2, 1, 1) * edge)) return;
    bool isOpen = c.x < edge;  // otherwise in the slot of solids, which comes next
    imageStore(apertureOut, c, vec4(isOpen ? 1.0 : 0.0));
    if (hasDistance != 0) imageStore(distanceOut, c, vec4(isOpen ? WISP_FAR_CELLS : -WISP_FAR_CELLS));
}
