#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/blocks.glsl"
#include "shared/pressure_grid.glsl"
#include "shared/regular.glsl"
// The correction that project.comp applies on a coarse face [m/s]. On a fully open face it is the change of the velocity: -grad q, and the
// share (1 - keep) of the mean velocity, to which the fine velocity relaxes. On a partly closed face it is the new velocity, the mean by
// flux minus grad q, because nothing would limit the detail of its slivers. On a closed side of the box it is the velocity of the side. On
// open sides q = 0 is half a cell away.
layout(binding = 4) uniform sampler3D velocity;  // on the faces of the next finer grid
layout(binding = 5) uniform sampler3D aperture;
layout(binding = 8, scalar) writeonly buffer Correction { float correction[]; };
layout(binding = 7, scalar) readonly buffer Means { vec3 means[]; };  // see downsample.comp

layout(binding = 9) uniform sampler3D coarseVelocity;  // of a sparse simulation [m/s]: what flows where no brick is active

// Mean velocity of the fluid through a coarse face, weighted by flux if the face is partly closed.
float faceVelocity(ivec3 C, int axis, bool whollyOpen) {
    if (kSparse && !isActive(C, kRatio)) return texelFetch(coarseVelocity, C, 0)[axis];
    float flux = 0.0, open = 0.0;
    [[unroll]] for (int n = 0; n < 4; ++n) {
        ivec3 f = fineFace(C, axis, n);
        float alpha = whollyOpen ? 1.0 : faceOf(f, axis) ? texelFetch(aperture, levelTexel(f), 0)[axis] : 0.0;
        if (alpha > 0.0) flux += alpha * texelFetch(velocity, levelTexel(f), 0)[axis];
        open += alpha;
    }
    return whollyOpen ? 0.25 * flux : flux / open;
}

void main() {
    ivec3 C = cell();
    if (outside(C, sim.pressureCells + 1)) return;
    bool hasMeans = !outside(C, sim.pressureCells) && isRegular(pressureGrid(), C);
    vec4 w = hasMeans ? vec4(1.0) : weightsAt(pressureGrid(), C);
    float H = float(sim.ratio) * sim.h;
    vec3 c = vec3(0.0);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        if (outside(C, sim.pressureCells + unit(axis))) continue;
        bool low = C[axis] == 0 && !isPeriodic(axis), high = C[axis] == sim.pressureCells[axis] && !isPeriodic(axis);
        if (w[axis] == 0.0) {
            if ((low ? sim.sidesLow[axis] : high ? sim.sidesHigh[axis] : WISP_WALL) == WISP_INFLOW) c[axis] = sim.inflow[axis];
            continue;
        }
        float scale = low || high ? 2.0 : 1.0;
        bool whollyOpen = w[axis] >= scale;
        float share = whollyOpen ? 1.0 - level.keep : 1.0;
        c[axis] = -scale * (pressureAt(C) - pressureAt(C - unit(axis))) / H;
        if (share > 0.0) c[axis] += share * (hasMeans ? means[cellIndex(C, sim.pressureCells)][axis] : faceVelocity(C, axis, whollyOpen));
    }
    [[unroll]] for (int axis = 0; axis < 3; ++axis) correction[correctionIndex(C, axis, sim.pressureCells + 1)] = c[axis];
}
