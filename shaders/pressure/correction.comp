#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/blocks.glsl"
// On the grid between pressure and fine velocity: the correction that project.comp applies next, in the form of pressure_gradient.comp. On
// a fully open face it is the projected velocity minus the share `keep` of the velocity before. On other faces it is the new velocity.
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2) uniform sampler3D before;
layout(binding = 3) uniform sampler3D projected;
layout(binding = 4, scalar) writeonly buffer CorrectionOut { float correctionOut[]; };

void main() {
    ivec3 c = cell();
    if (outside(c, level.cells + 1)) return;
    ivec3 texel = levelTexel(c);
    vec3 u = texelFetch(projected, texel, 0).xyz;
    vec3 old = texelFetch(before, texel, 0).xyz, alpha = texelFetch(aperture, texel, 0).xyz;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        int i = cellsInSlots() ? 3 * int(brickPlace(c, WISP_BRICK_EDGE / level.fineCells)) + axis
                               : correctionIndex(c, axis, level.cells + 1);
        correctionOut[i] = u[axis] - (alpha[axis] == 1.0 ? level.keep * old[axis] : 0.0);
    }
}
