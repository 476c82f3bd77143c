#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "wisp/wind.glsl"
// Velocity [m/s] at a list of positions [m], written over them, as another program's shader would do.
layout(local_size_x = 64) in;
layout(binding = 0) uniform sampler3D faces;
layout(binding = 1, scalar) buffer Points { vec3 points[]; };
layout(push_constant, scalar) uniform Push {
    WispWind wind;
    uint count;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) points[i] = wispWindAt(faces, wind, points[i]);
}
