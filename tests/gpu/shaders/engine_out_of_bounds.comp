#version 460
// SPDX-License-Identifier: MIT
// Writes to given indices, also past the end of a buffer: by binding, or by address.
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Words { uint written[]; };
layout(push_constant) uniform Push {
    Words addressedAddress;
    uint boundIndex;
    uint addressedIndex;
};
layout(binding = 0) writeonly buffer Bound { uint bound[]; };
void main() {
    bound[boundIndex] = 1;
    addressedAddress.written[addressedIndex] = 2;
}
