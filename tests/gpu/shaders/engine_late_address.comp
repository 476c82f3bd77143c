#version 460
// SPDX-License-Identifier: MIT
// An address behind other push constants, where the recorder does not fill it in.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 64) in;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Values { float value[]; };
layout(push_constant, scalar) uniform Push { Values first; vec2 factor; Values late; };
void main() { late.value[gl_GlobalInvocationID.x] = factor.x * first.value[gl_GlobalInvocationID.x] + factor.y; }
