#version 460
// SPDX-License-Identifier: MIT
// Overwrites the texels of some slots of a field, see tests/physics/sparse.cpp. One thread per row of a slot, because most slots are not
// overwritten.
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 0) uniform writeonly image3D field;
layout(binding = 1) readonly buffer Kinds { uint kinds[]; };  // of each slot, as a bit
layout(push_constant) uniform Push { float value; int edge; uint overwritten; int marginsOnly; };
void main() {
    ivec3 row = ivec3(gl_GlobalInvocationID), first = row * ivec3(edge, 1, 1), n = first / edge, slots = imageSize(field) / edge;
    if (any(greaterThanEqual(n, slots)) || (kinds[(n.z * slots.y + n.y) * slots.x + n.x] & overwritten) == 0u) return;
    bool isMargin = any(equal(row.yz % edge, ivec2(edge - 1)));
    for (int x = marginsOnly != 0 && !isMargin ? edge - 1 : 0; x < edge; ++x) imageStore(field, first + ivec3(x, 0, 0), vec4(value));
}
