// SPDX-License-Identifier: MIT
#version 460
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4, local_size_z_id = 17) in;
#include "shared/pressure_level.h"
#include "shared/regular.glsl"
#include "shared/open_means.glsl"
// Right-hand side b = -H^2 div of the coarse solve [m^2/s]: div is the volume average of the fine divergences, including moving solids
// (Lentine, Zheng, Fedkiw 2010, step 2). The high faces of a block are the low faces of its neighbours, whose threads compute these fluxes.
layout(binding = 3, scalar) writeonly buffer RhsOut { float rhsOut[]; };
layout(binding = 4) uniform sampler3D finer;  // velocity on the faces of the next finer grid: with ratio 4 there is one grid in between
// means of the velocity on open low faces [m/s], for pressure_gradient
layout(binding = 5, scalar) writeonly buffer MeansOut { vec3 meansOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel level; int wantsMeans; };
layout(binding = 7) uniform sampler3D coarseVelocity;  // of a sparse simulation [m/s]: what flows where no brick is active
// Uses stepData, not its copy `sim`, which would be kept in registers across the barrier. This would cost 10 % on an H200.
shared float fluxes[3][256];  // through the low faces of the group's blocks

bool isFine(ivec3 C) { return !kSparse || isActive(C, kRatio); }  // whether fine faces give the flux
// Mean flux through the coarse face at fine plane `plane`, the low face of block `owner` along an axis.
float fluxOf(ivec3 owner, ivec3 low, int axis, int plane, bool open) {
    return isFine(owner) ? meanFlux(low, kRatio, axis, plane, open) : texelFetch(coarseVelocity, owner, 0)[axis];
}

void main() {
    ivec3 C = cell(), low = C * kRatio;
    int n = int(gl_LocalInvocationIndex);
    bool inside = !outside(C, level.cells), open = inside && isRegular(level, C);
    vec3 flux = vec3(0.0);
    if (inside && !isFine(C)) flux = texelFetch(coarseVelocity, C, 0).xyz;
    else if (open) flux = kRatio == 1 ? texelFetch(velocity, C, 0).xyz : openMeans(finer, 2 * C, 2 * WISP_BRICK_EDGE / kRatio);
    else if (inside) flux = vec3(meanFlux(low, kRatio, 0, low.x, open), meanFlux(low, kRatio, 1, low.y, open),
        kFlat ? 0.0 : meanFlux(low, kRatio, 2, low.z, open));
    [[unroll]] for (int axis = 0; axis < 3; ++axis) fluxes[axis][n] = flux[axis];
    barrier();
    if (!inside) return;
    const int next[3] = int[3](1, 8, 64);
    float outflow = 0.0;
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        bool near = gl_LocalInvocationID[axis] + 1u < gl_WorkGroupSize[axis] && C[axis] + 1 < level.cells[axis];
        int high = min(low[axis] + kRatio, stepData.cells[axis]);
        outflow += (near ? fluxes[axis][n + next[axis]] : fluxOf(C + unit(axis), low, axis, high, open)) - flux[axis];
    }
    float H = float(kRatio) * stepData.h;
    rhsOut[cellIndex(level, C)] = -H * outflow;
    if (wantsMeans != 0 && open) meansOut[cellIndex(C, level.cells)] = flux;
}
