#version 460
// SPDX-License-Identifier: MIT
// target[to + i] = source[from + i] + amount, both only by their addresses.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 64) in;
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Source { float read[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer Target { float written[]; };
layout(push_constant, scalar) uniform Push { Source source; Target targetAddress; float amount; uint from; uint to; uint count; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) targetAddress.written[to + i] = source.read[from + i] + amount;
}
