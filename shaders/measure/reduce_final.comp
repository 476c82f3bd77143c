#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// Reduces `count` records of 8 numbers (6 sums, 2 maxima) to one, in a fixed order: each thread takes a strided share.
#include "shared/reduce.glsl"
layout(binding = 1, scalar) readonly buffer PartialsIn { float partialsIn[]; };
layout(push_constant, scalar) uniform Push { uint count; };

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (uint i = gl_LocalInvocationIndex; i < uint(noUnroll(int(count))); i += WISP_GROUP) {
        for (int n = 0; n < 8; ++n) v[n] = n < 6 ? v[n] + partialsIn[i * 8 + n] : max(v[n], partialsIn[i * 8 + n]);
    }
    reduceGroup(v);
}
