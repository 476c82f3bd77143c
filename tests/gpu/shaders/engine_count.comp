#version 460
// SPDX-License-Identifier: MIT
// Some of each kind of operation that is counted. The number depends on constants, push constants and the invocation.
layout(local_size_x = 32, local_size_y = 2) in;
layout(constant_id = 3) const bool kFetches = false;
layout(binding = 0) uniform sampler3D source;
layout(binding = 1) readonly buffer B1 { vec4 valuesIn[]; };
layout(binding = 2) writeonly buffer B2 { float valuesOut[]; };
layout(push_constant) uniform Push { uint width; uint rounds; };

vec4 halved(vec4 v) { return fma(v, vec4(0.5), vec4(1.0)); }

void main() {
    uvec2 p = gl_GlobalInvocationID.xy;
    if (p.x >= width) return;
    uint i = p.y * width + p.x;
    vec4 v = valuesIn[i];
    if (kFetches) v += texelFetch(source, ivec3(0), 0);
    uint end = rounds + p.y;
    for (uint n = 0; n < end; ++n) v = halved(v);
    if ((p.x & 1u) == 1u) v += textureLod(source, vec3(0.5), 0.0);
    valuesOut[i] = dot(v, vec4(1.0));
}
