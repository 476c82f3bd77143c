#version 460
// SPDX-License-Identifier: MIT
// One resource of each kind, for reflection. The result has no meaning.
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 4, local_size_y = 2, local_size_z = 1) in;
layout(binding = 0, scalar) uniform StepBlock { vec3 a; float b; float c; } stepData;
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2, rgba16f) uniform writeonly image3D velocityOut;
layout(binding = 3, r32f) uniform readonly image3D density;
layout(binding = 4, r32f) uniform image2D picture;
layout(binding = 5, scalar) readonly buffer B5 { float pressureIn[]; };
layout(binding = 6, scalar) writeonly buffer B6 { float pressureOut[]; };
layout(binding = 7, scalar) buffer B7 { float both[]; };
layout(binding = 8) uniform sampler3D nobodyReadsThis;
layout(push_constant, scalar) uniform Push { vec3 offset; float scale; uint count; };
void main() {
    ivec3 c = ivec3(gl_GlobalInvocationID);
    vec4 v = texture(velocityIn, offset * scale) + imageLoad(density, c) + vec4(stepData.a, stepData.b);
    imageStore(velocityOut, c, v);
    imageStore(picture, c.xy, imageLoad(picture, c.xy) + v);
    both[c.x] += pressureIn[c.x] * float(count);
    pressureOut[c.x] = v.x;
}
