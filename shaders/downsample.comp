// SPDX-License-Identifier: MIT
#version 460
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
#include "shared/pressure_level.h"
#include "shared/regular.glsl"
// Right-hand side b = -H^2 div of the coarse solve [m^2/s]: div is the volume average of the fine divergences, moving solids
// included (Lentine, Zheng, Fedkiw 2010, step 2). A block's high faces are its neighbours' low ones, which they have looked at.
layout(binding = 3, scalar) writeonly buffer RhsOut { float rhsOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; };
const ivec3 kGroup = ivec3(8, 8, 4);
// stepData, not its copy `sim`: that would be kept in registers across the barrier, which costs a tenth on an H200.
shared float fluxes[3][256];  // through the low faces of the group's blocks

// Fluxes through the low faces of a block of 2x2x2 cells that are all there and wholly open. Seven of its cells have some.
vec3 openFluxes(ivec3 low) {
    vec3 u[7], sum = vec3(0.0);
    [[unroll]] for (int n = 0; n < 7; ++n) u[n] = texelFetch(velocity, low + ivec3(n & 1, (n >> 1) & 1, n >> 2), 0).xyz;
    [[unroll]] for (int n = 0; n < 7; ++n) sum += mix(u[n], vec3(0.0), bvec3(n & 1, n & 2, n & 4));
    return 0.25 * sum;
}

void main() {
    ivec3 C = cell(), low = C * stepData.ratio;
    int n = int(gl_LocalInvocationIndex);
    bool inside = !outside(C, level.cells), open = inside && isRegular(level, C);
    vec3 flux = vec3(0.0);
    if (open && stepData.ratio == 2) flux = openFluxes(low);
    else if (inside) flux = vec3(meanFlux(low, stepData.ratio, 0, low.x, open), meanFlux(low, stepData.ratio, 1, low.y, open), meanFlux(low, stepData.ratio, 2, low.z, open));
    [[unroll]] for (int axis = 0; axis < 3; ++axis) fluxes[axis][n] = flux[axis];
    barrier();
    if (!inside) return;
    const int next[3] = int[3](1, kGroup.x, kGroup.x * kGroup.y);
    float outflow = 0.0;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        bool near = gl_LocalInvocationID[axis] + 1 < kGroup[axis] && C[axis] + 1 < level.cells[axis];
        int high = min(low[axis] + stepData.ratio, stepData.cells[axis]);
        outflow += (near ? fluxes[axis][n + next[axis]] : meanFlux(low, stepData.ratio, axis, high, open)) - flux[axis];
    }
    float H = float(stepData.ratio) * stepData.h;
    rhsOut[cellIndex(level, C)] = -H * outflow;
}
