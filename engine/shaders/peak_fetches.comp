#version 460
// SPDX-License-Identifier: MIT
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
// Fetches 16 texels, a block of 4x2x2, as stencils do.
layout(binding = 0) uniform sampler3D field;  // 64 texels along each edge, all >= 0
layout(binding = 1, scalar) writeonly buffer Result { float result[]; };

void main() {
    ivec3 c = min(ivec3(gl_GlobalInvocationID % 64u), ivec3(60, 62, 62));
    vec4 sum = vec4(0.0);
    [[unroll]] for (int i = 0; i < 16; ++i) sum += texelFetch(field, c + ivec3(i & 3, i >> 2 & 1, i >> 3), 0);
    // Never true, but the compiler cannot know that. Prevents it from removing the loop as dead code.
    if (dot(sum, vec4(1.0)) < 0.0) result[0] = sum.x;
}
