#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/phase.glsl"
layout(local_size_x = 64) in;
// The phase function at the centres of `count` equal parts of the cosine.
layout(binding = 0, scalar) writeonly buffer Values { float values[]; };
layout(push_constant, scalar) uniform Push { float g, gBack, blend; uint count; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) values[i] = phase((float(i) + 0.5) * 2.0 / float(count) - 1.0, g, gBack, blend);
}
