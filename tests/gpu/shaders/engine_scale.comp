#version 460
// SPDX-License-Identifier: MIT
// valuesOut[i] = valuesIn[i] * factor, from a uniform block.
layout(local_size_x = 64) in;
layout(binding = 0) uniform Factors { float factor; };
layout(binding = 1) readonly buffer B1 { float valuesIn[]; };
layout(binding = 2) writeonly buffer B2 { float valuesOut[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < valuesOut.length()) valuesOut[i] = valuesIn[i] * factor;
}
