#version 460
// SPDX-License-Identifier: MIT
// Overwrites the words of some slots of a field in a buffer, see tests/physics/sparse.cpp.
layout(local_size_x = 256) in;
layout(binding = 0) writeonly buffer Words { uint words[]; };
layout(binding = 1) readonly buffer Kinds { uint kinds[]; };  // of each slot, as a bit
layout(push_constant) uniform Push { uint word; uint ofSlot; uint overwritten; };
void main() {
    uint i = gl_GlobalInvocationID.x, slot = i / ofSlot;
    if (slot < kinds.length() && (kinds[slot] & overwritten) != 0u) words[i] = word;
}
