#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
layout(local_size_x = 64) in;  // at ratio 4 the coarse cells of a brick
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/pressure_grid.glsl"
#include "shared/regular.glsl"
// The coarse velocity [m/s] on the low faces of active coarse cells: mean of the fine faces, weighted by flux.
layout(binding = 2) uniform sampler3D aperture;
layout(binding = 4) uniform sampler3D velocity;
layout(binding = 5) uniform writeonly image3D coarseOut;

// All faces of the coarse cell are fully open.
vec3 openRestricted(ivec3 C) {
    ivec3 first = ownTexel(C * kRatio);
    vec3 sum = vec3(0.0);
    [[unroll]] for (int z = 0; z < kRatio; ++z)
        [[unroll]] for (int y = 0; y < kRatio; ++y)
            [[unroll]] for (int x = 0; x < kRatio; ++x)
                if (min(x, min(y, z)) == 0)
                    sum += mix(vec3(0.0), texelFetch(velocity, first + ivec3(x, y, z), 0).xyz, bvec3(x == 0, y == 0, z == 0));
    return sum / float(kRatio * kRatio);
}

float restricted(ivec3 C, int axis) {
    ivec3 s = unit((axis + 1) % 3), t = unit((axis + 2) % 3);
    vec2 sum = vec2(0.0);  // of alpha u, and of alpha
    for (int b = 0; b < kRatio; ++b)
        for (int a = 0; a < kRatio; ++a) {
            ivec3 f = C * kRatio + a * s + b * t;
            float alpha = faceExists(f, axis) ? texelFetch(aperture, ownTexel(f), 0)[axis] : 0.0;
            if (alpha > 0.0) sum += alpha * vec2(texelFetch(velocity, ownTexel(f), 0)[axis], 1.0);
        }
    return sum.y > 0.0 ? sum.x / sum.y : 0.0;
}

void main() {
    ivec3 C = cell();
    if (isIdle(C)) return;
    findSlots();
    if (outside(C, sim.pressureCells + 1)) return;
    bool isOpen = !outside(C, sim.pressureCells) && isRegular(pressureGrid(), C);
    vec3 u = isOpen ? openRestricted(C) : vec3(0.0);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        if (outside(C, sim.pressureCells + unit(axis))) continue;
        if (!isOpen) u[axis] = restricted(C, axis);
        bool isInflow = !isPeriodic(axis) && (C[axis] == 0 && sim.sidesLow[axis] == WISP_INFLOW ||
            C[axis] == sim.pressureCells[axis] && sim.sidesHigh[axis] == WISP_INFLOW);
        if (isInflow) u[axis] = sim.inflow[axis];
    }
    imageStore(coarseOut, C, toStorage(vec4(u, 0.0)));
}
