#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/random.glsl"
#include "shared/phase.glsl"
layout(local_size_x = 64) in;
// Hashes of (i, 2 i, 3, 5), then a direction sampled about `ray` with them and its density.
layout(binding = 0, scalar) writeonly buffer Bits { uvec4 bits[]; };
layout(binding = 1, scalar) writeonly buffer Directions { vec4 directions[]; };
layout(push_constant, scalar) uniform Push { vec3 ray; float g, gBack, blend; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    Random random = Random(uvec3(i, 2 * i, 3), 5);
    bits[i] = hash4(uvec4(random.key, random.draw));
    vec3 d = samplePhase(ray, g, gBack, blend, uniform4(random).xyz);
    directions[i] = vec4(d, phase(dot(d, ray), g, gBack, blend));
}
