#version 460
// SPDX-License-Identifier: MIT
// Counts its invocations; groups as in shaders/shared/grid.glsl.
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 8, local_size_y = 8, local_size_y_id = 16, local_size_z = 4, local_size_z_id = 17) in;
layout(binding = 0, scalar) buffer B0 { float reached[]; };  // of a grid of 8x8x8
void main() {
    uvec3 c = gl_GlobalInvocationID;
    if (all(lessThan(c, uvec3(8)))) reached[(c.z * 8 + c.y) * 8 + c.x] += float(gl_WorkGroupSize.y);
}
