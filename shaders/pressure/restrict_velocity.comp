#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
#include "shared/blocks.glsl"
#include "shared/solid_velocity.glsl"
#include "shared/open_means.glsl"
#include "shared/expansion.glsl"
// Velocity [m/s] on the faces of the next coarser grid: mean of the finer faces, weighted by flux. w: outflow from a cell that moving
// solids cause, sum_f s_f mean((1 - alpha) u_s), less the outflow that expansion causes.
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2) uniform sampler3D velocity;
layout(binding = 3) uniform writeonly image3D coarseOut;
layout(binding = 4, scalar) readonly buffer OpenFaces { uint openFaces[]; };  // see open_faces.comp

// Sums of alpha u, of alpha, and of (1 - alpha) u_s over the four finer faces of the coarse face of C.
vec3 sums(ivec3 C, int axis) {
    vec3 sum = vec3(0.0);
    for (int n = 0; n < 4; ++n) {
        ivec3 f = fineFace(C, axis, n);
        if (!faceOf(f, axis)) continue;
        float alpha = texelFetch(aperture, levelTexel(f), 0)[axis];
        sum.xy += alpha * vec2(texelFetch(velocity, levelTexel(f), 0)[axis], 1.0);
        if (alpha < 1.0) sum.z += (1.0 - alpha) * solidVelocityAt(f, axis);
    }
    return sum;
}

// Whether all outer faces of a block are fully open.
bool isOpenAround(ivec3 C) {
    const uint all = (1u << kAxes) - 1u;
    uint open = openFaces[faceIndex(C)] & all;
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) open &= openFaces[faceIndex(C + unit(axis))] | ~(1u << axis);
    return open == all;
}

// Outflow from block C through expansion [m/s]: the edge of the block times its mean divergence.
float expansion(ivec3 C) {
    float sum = 0.0;
    if (!kExpands || outside(C, blocks())) return sum;
    for (int n = 0; n < 8; ++n) {
        ivec3 c = cellOfBlock(C, n);
        if (!outside(c, level.cells)) sum += texelFetch(velocity, levelTexel(c), 0).w;
    }
    return 2.0 * sim.h * sum / 8.0;
}

void compute(ivec3 C) {
    if (outside(C, blocks() + 1)) return;
    if (!outside(C, blocks()) && isOpenAround(C)) {
        imageStore(coarseOut, blockTexel(C), vec4(openMeans(velocity, 2 * C, WISP_BRICK_EDGE), -expansion(C)));
        return;
    }
    vec4 u = vec4(0.0, 0.0, 0.0, -expansion(C));
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        vec3 low = sums(C, axis);
        if (low.y > 0.0) u[axis] = low.x / low.y;
        if (!outside(C, blocks())) u.w += 0.25 * (sums(C + unit(axis), axis).z - low.z);
    }
    imageStore(coarseOut, blockTexel(C), u);
}
#include "shared/each_cell.glsl"
