#version 460
// SPDX-License-Identifier: MIT
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
// Takes 16 trilinear samples along a line of a few cells, in parallel to neighbouring threads, as a backtrace or a ray does.
layout(binding = 0) uniform sampler3D field;  // 64 texels along each edge, all >= 0
layout(binding = 1, scalar) writeonly buffer Result { float result[]; };

void main() {
    vec3 p = (vec3(gl_GlobalInvocationID % 64u) + 0.3) / 64.0;
    vec4 sum = vec4(0.0);
    [[unroll]] for (int i = 0; i < 16; ++i) sum += textureLod(field, p + float(i) * (vec3(0.37, 0.23, 0.29) / 64.0), 0.0);
    // Never true, but the compiler cannot know that. Prevents it from removing the loop as dead code.
    if (dot(sum, vec4(1.0)) < 0.0) result[0] = sum.x;
}
