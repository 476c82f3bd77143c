#version 460
// SPDX-License-Identifier: MIT
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 64) in;
// x <- a x + b, 64 times for each of 8 independent numbers: 512 fused multiply-adds.
layout(binding = 0, scalar) writeonly buffer Result { float result[]; };
layout(push_constant, scalar) uniform Push { vec4 a, b; };

void main() {
    vec4 x = vec4(gl_GlobalInvocationID.x), y = x + 1.0;
    [[unroll]] for (int i = 0; i < 64; ++i) {
        x = fma(x, a, b);
        y = fma(y, a, b);
    }
    // Never true, but the compiler cannot know that. Prevents it from removing the loop as dead code.
    float sum = dot(x + y, vec4(1.0));
    if (sum < 0.0) result[0] = sum;
}
