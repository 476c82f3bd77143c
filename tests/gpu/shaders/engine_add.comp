#version 460
// SPDX-License-Identifier: MIT
// target = source + amount, cell by cell; source and target may be one image.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(binding = 0) uniform sampler3D source;
layout(binding = 1, r32f) uniform writeonly image3D target;
layout(push_constant) uniform Push { float amount; };
void main() {
    ivec3 c = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(c, imageSize(target)))) return;
    imageStore(target, c, vec4(texelFetch(source, c, 0).x + amount));
}
