#version 460
// SPDX-License-Identifier: MIT
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 256) in;
// to = from, 16 bytes per thread. Split into rows, so that the group count along x is within the limit of every device.
layout(binding = 0, scalar) readonly buffer From { uvec4 from[]; };
layout(binding = 1, scalar) writeonly buffer To { uvec4 to[]; };
layout(push_constant, scalar) uniform Push { uint row; };

void main() {
    uint i = gl_GlobalInvocationID.y * row + gl_GlobalInvocationID.x;
    to[i] = from[i];
}
