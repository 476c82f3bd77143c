#version 460
// SPDX-License-Identifier: MIT
// target[i] = source[i] by its binding, or source[i] + 100 by its address.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 64) in;
layout(constant_id = 13) const bool kByAddress = false;
layout(binding = 0, scalar) readonly buffer SourceField { float source[]; };
layout(binding = 1, scalar) writeonly buffer TargetField { float target[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Source { float read[]; };
layout(push_constant, scalar) uniform Push { Source sourceAddress; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < target.length()) target[i] = kByAddress ? sourceAddress.read[i] + 100.0 : source[i];
}
