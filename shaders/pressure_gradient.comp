#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/poisson.glsl"
// Velocity correction -grad q on coarse faces [m/s]; 0 on closed ones; on open sides q = 0 lies half a cell away.
// w = which faces are wholly open, one bit an axis.
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 4) uniform writeonly image3D correction;

float pressureAt(ivec3 C) { return outside(C, sim.pressureCells) ? 0.0 : pressureIn[pressureIndex(C)]; }

void main() {
    ivec3 C = cell();
    if (outside(C, sim.pressureCells + 1)) return;
    vec4 w = weightsAt(C);
    float H = float(sim.ratio) * sim.h;
    vec4 c = vec4(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        if (w[axis] == 0.0 || outside(C, sim.pressureCells + unit(axis))) continue;
        bool side = C[axis] == 0 || C[axis] == sim.pressureCells[axis];
        float scale = side ? 2.0 : 1.0;
        c[axis] = -scale * (pressureAt(C) - pressureAt(C - unit(axis))) / H;
        if (w[axis] >= scale) c.w += float(1 << axis);
    }
    imageStore(correction, C, c);
}
