#version 460
// SPDX-License-Identifier: MIT
// Minimum (x) and maximum (y) of the texels around a point of each cell of the target.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(constant_id = 5) const bool kReductions = false;
layout(binding = 0) uniform sampler3D sourceLeast;
layout(binding = 1) uniform sampler3D sourceGreatest;
layout(binding = 2, rg32f) uniform writeonly image3D target;
layout(push_constant) uniform Push { float offset; };
void main() {
    ivec3 c = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(c, imageSize(target)))) return;
    vec3 at = (vec3(c) + offset) / vec3(imageSize(target));
    vec2 bounds = kReductions ? vec2(textureLod(sourceLeast, at, 0.0).x, textureLod(sourceGreatest, at, 0.0).x) : vec2(0.0);
    imageStore(target, c, vec4(bounds, 0.0, 0.0));
}
