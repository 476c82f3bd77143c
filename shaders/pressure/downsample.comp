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
#include "shared/expansion.glsl"
// Right-hand side b = -H^2 (div - D) of the coarse solve [m^2/s]: div is the volume average of the fine divergences, including moving
// solids (Lentine, Zheng, Fedkiw 2010, step 2), D the mean divergence of gas that is heated. The high faces of a block are the low faces of
// its neighbours, whose threads compute these fluxes.
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

ivec3 finerTexel(ivec3 c) { return kSparse ? brickTexel(c, 2 * WISP_BRICK_EDGE / kRatio) : c; }
// H D of a pressure cell [m/s].
float expansion(ivec3 low, bool open) {
    float sum = 0.0;
    if (kRatio == 4 && open) {  // no solid in it: the intermediate grid has what expansion causes
        for (int n = 0; n < 8; ++n) sum -= texelFetch(finer, finerTexel(low / 2 + inLayer(ivec3(n & 1, (n >> 1) & 1, n >> 2))), 0).w;
        return sum / 4.0;
    }
    for (int n = 0; n < kRatio * kRatio * kRatio; ++n) {
        ivec3 c = low + inLayer(ivec3(n % kRatio, n / kRatio % kRatio, n / (kRatio * kRatio)));
        if (!outside(c, stepData.cells)) sum += texelFetch(velocity, texelOf(c), 0).w;
    }
    return stepData.h * sum / float(kRatio * kRatio);
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
    if (kExpands && isFine(C)) outflow -= expansion(low, open);
    float H = float(kRatio) * stepData.h;
    rhsOut[cellIndex(level, C)] = -H * outflow;
    if (wantsMeans != 0 && open) meansOut[cellIndex(C, level.cells)] = flux;
}
