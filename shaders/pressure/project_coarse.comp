#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_ADDRESSES VectorsOut centreVectorsAddress;
#include "shared/blocks.glsl"
#include "shared/pressure_grid.glsl"
#include "shared/regular.glsl"
// The coarse velocity [m/s] after the projection, whose mean fluxes the projected fine velocity has: u_H + du_H on fully open faces. On
// other faces the correction is the new velocity, see pressure_gradient.comp. Also at the centres of coarse cells, for their paths.
layout(binding = 4, scalar) readonly buffer Correction { float correction[]; };
layout(binding = 5) uniform sampler3D coarseIn;
layout(binding = 8) uniform writeonly image3D coarseOut;
layout(binding = 9) uniform writeonly image3D centreOut;
VECTORS_OUT(10, centreVectors);

float projected(ivec3 C, int axis, bool isOpen) {
    if (outside(C, sim.pressureCells + unit(axis))) return 0.0;
    if (!isOpen) {
        bool side = !isPeriodic(axis) && (C[axis] == 0 || C[axis] == sim.pressureCells[axis]);
        isOpen = weightsAt(pressureGrid(), C)[axis] >= (side ? 2.0 : 1.0);
    }
    float c = correction[correctionIndex(C, axis, sim.pressureCells + 1)];
    return isOpen ? level.keep * texelFetch(coarseIn, C, 0)[axis] + c : c;
}

void main() {
    ivec3 C = cell();
    if (outside(C, sim.pressureCells + 1)) return;
    bool isCell = !outside(C, sim.pressureCells), isOpen = isCell && isRegular(pressureGrid(), C);
    vec3 low = vec3(0.0), high = vec3(0.0);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        low[axis] = projected(C, axis, isOpen);
        if (isCell) high[axis] = projected(C + unit(axis), axis, isOpen);
    }
    imageStore(coarseOut, C, toStorage(vec4(low, 0.0)));
    if (!isCell) return;
    vec4 centre = vec4(0.5 * (low + high), 0.0);
    imageStore(centreOut, C, toStorage(centre));
    STORE(centreVectors, cellIndex(C, sim.pressureCells), centre)
}
