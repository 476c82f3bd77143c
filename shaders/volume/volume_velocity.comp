#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/lattice.glsl"
// Velocity of a volume file at cell centres [m/s]: the mean over a cell, trilinear between known points. w is 1 where it is known, else 0.
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer VelocitiesIn { VelocityBlock blocks[]; };
layout(binding = 1, scalar) readonly buffer MotionBlock { VolumeMotion motion; };
layout(binding = 2) uniform writeonly image3D centreOut;
layout(push_constant, scalar) uniform Push { VelocitiesIn velocitiesAddress; VelocityPush push; };

// Sum over the eight points around x, relative to the low corner of the box [m], of the weight in w and the weighted velocity.
vec4 sumAround(Lattice l, vec3 x) {
    vec3 t = latticeIndex(l, x), f = fract(t);
    vec4 sum = vec4(0.0);
    for (int n = 0; n < 8; ++n) {
        ivec3 o = ivec3(n & 1, (n >> 1) & 1, n >> 2), c = ivec3(floor(t)) + o;
        vec3 w = mix(1.0 - f, f, vec3(o));
        uint block = blockOf(l, c), point = indexInBlock(c);
        if (block == 0u || (velocitiesAddress.blocks[block - 1u].known[point >> 5] >> (point & 31u) & 1u) == 0u) continue;
        sum += w.x * w.y * w.z * vec4(velocitiesAddress.blocks[block - 1u].values[point], 1.0);
    }
    return sum;
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells) || !isStored(c)) return;
    vec4 sum = vec4(0.0);
    for (int n = 0; n < push.parts * push.parts * push.parts; ++n) {
        vec3 part = (vec3(n % push.parts, n / push.parts % push.parts, n / (push.parts * push.parts)) + 0.5) / float(push.parts);
        sum += sumAround(motion.lattice, (vec3(c) + part) * sim.h);
    }
    vec3 u = sum.w > 0.0 ? sum.xyz / sum.w : vec3(0.0);
    u = vec3(dot(motion.turn[0], u), dot(motion.turn[1], u), dot(motion.turn[2], u));
    imageStore(centreOut, texelOf(c), vec4(velocityToStorage(u).xyz, sum.w > 0.0 ? 1.0 : 0.0));
}
