#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/blocks.glsl"
#include "shared/pressure_grid.glsl"
// The coarse velocity [m/s] after the projection, whose mean fluxes the projected fine velocity has: u_H + du_H on fully open faces. On
// other faces the correction is the new velocity, see pressure_gradient.comp.
layout(binding = 4, scalar) readonly buffer Correction { float correction[]; };
layout(binding = 5) uniform sampler3D coarseIn;
layout(binding = 6) uniform writeonly image3D coarseOut;

void main() {
    ivec3 C = cell();
    if (outside(C, sim.pressureCells + 1)) return;
    vec4 w = weightsAt(pressureGrid(), C), u = texelFetch(coarseIn, C, 0), sum = vec4(0.0);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        if (outside(C, sim.pressureCells + unit(axis))) continue;
        bool side = !isPeriodic(axis) && (C[axis] == 0 || C[axis] == sim.pressureCells[axis]), isOpen = w[axis] >= (side ? 2.0 : 1.0);
        sum[axis] = correction[correctionIndex(C, axis, sim.pressureCells + 1)] + (isOpen ? level.keep * u[axis] : 0.0);
    }
    imageStore(coarseOut, C, toStorage(sum));
}
