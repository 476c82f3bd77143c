#version 460
// SPDX-License-Identifier: MIT
// target = value everywhere: a write that reads nothing.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(binding = 0, r32f) uniform writeonly image3D target;
layout(push_constant) uniform Push { float value; };
void main() {
    ivec3 c = ivec3(gl_GlobalInvocationID);
    if (all(lessThan(c, imageSize(target)))) imageStore(target, c, vec4(value));
}
