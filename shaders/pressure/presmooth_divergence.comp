#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/presmooth.glsl"
#include "shared/expansion.glsl"
#include "shared/solid_velocity.glsl"
// e = h div / 6 [m/s], with moving cut cells as in shared/divergence.glsl, less the divergence that the last projection has left.
layout(binding = 3) uniform sampler3D velocity;
layout(binding = 4) uniform sampler3D projected;  // w: see shared/expansion.glsl
layout(push_constant, scalar) uniform Push { FloatFieldOut excessAddress; };
FLOATS_OUT(5, excess);

// Velocity through the low face of texel f, which no solid is near to.
float clearSpeed(vec3 u, ivec3 f, int axis) {
    int side = sideOfFace(f, axis);
    return side <= WISP_OPEN ? u[axis] : side == WISP_INFLOW ? sim.inflow[axis] : 0.0;
}

vec3 speeds(ivec3 f) { return texelFetch(velocity, texelOf(wrappedOnce(f, sim.cells)), 0).xyz; }

float cutOutflow(ivec3 c) {
    float outflow = 0.0;
    for (int n = 0; n < noUnroll(2 * kAxes); ++n) {
        int axis = n >> 1, side = n & 1;
        ivec3 f = c + side * unit(axis);
        float alpha = texelFetch(aperture, texelOf(f), 0)[axis], flux = alpha * speeds(f)[axis];
        if (alpha < 1.0) flux += (1.0 - alpha) * solidVelocityAt(f, axis);
        outflow += side == 0 ? -flux : flux;
    }
    return outflow;
}

// A fetch takes longer than to read what other threads of the group have fetched. On CPU devices a barrier takes longest.
shared float lows[3][256];

void compute(ivec3 c) {
    bool isIn = takesPart(c), isLast[3];
    int n = int(gl_LocalInvocationIndex);
    // What most cells need is fetched before it is known which cells these are.
    vec3 low = vec3(0.0), high = vec3(0.0);
    if (isIn) low = texelFetch(velocity, texelOf(c), 0).xyz;
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        isLast[axis] = kBranchless || gl_LocalInvocationID[axis] + 1u == gl_WorkGroupSize[axis] || c[axis] + 1 == sim.cells[axis];
        if (isIn && isLast[axis]) high[axis] = speeds(c + unit(axis))[axis];
    }
    bool isOpen = isIn && isClear(c);
    if (!kBranchless) {
        if (kRounds > 1) barrier();
        [[unroll]] for (int axis = 0; axis < kAxes; ++axis) lows[axis][n] = low[axis];
        barrier();
    }
    if (!isIn) return;
    float outflow = kExpands ? -sim.h * texelFetch(projected, texelOf(c), 0).w : 0.0;
    if (isOpen) {
        const ivec3 next = ivec3(1, int(gl_WorkGroupSize.x), int(gl_WorkGroupSize.x * gl_WorkGroupSize.y));
        [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
            if (!isLast[axis]) high[axis] = lows[axis][n + next[axis]];
            outflow += clearSpeed(high, c + unit(axis), axis) - clearSpeed(low, c, axis);
        }
    }
    for (int once = 0; once < noUnrollIf(!isOpen, 1); ++once)
        if (!isOpen) outflow += cutOutflow(c);
    STORE_FLOAT(excess, kSparse ? ownPlace(c) : cellIndex(c, sim.cells), outflow * kPerFace)
}
#include "shared/each_cell.glsl"
