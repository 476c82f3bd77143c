#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/grid.glsl"
#include "shared/limits.glsl"
// Velocity on faces [m/s]: the mean of the known ones at the centres of both cells. Second order. 0 on walls.
layout(binding = 1) uniform sampler3D centreIn;  // w: 1 where it is known
layout(binding = 2) uniform writeonly image3D velocityOut;

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1) || !isStored(c)) return;
    vec3 u = vec3(0.0);
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (!faceExists(c, axis) || sideOfFace(c, axis) == WISP_WALL) continue;
        vec2 sum = vec2(0.0);
        for (int side = 0; side < 2; ++side) {
            ivec3 at = c - side * unit(axis);
            if (outside(at, sim.cells) || !isStored(at)) continue;
            vec4 v = texelFetch(centreIn, texelOf(at), 0);
            sum += v.w * vec2(v[axis], 1.0);
        }
        if (sum.y > 0.0) u[axis] = sum.x / sum.y;
    }
    imageStore(velocityOut, texelOf(c), velocityToStorage(u));
}
