#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// The shader of another program: it includes only the public header, has its own names, and holds the struct in a std140 block behind
// another member.
#include "wisp/wind.glsl"
#include "wisp/wind.glsl"
layout(local_size_x = 32) in;
layout(binding = 0, std140) uniform Weather {
    float seconds;
    WispWind wind;
    float strength;
} weather;
layout(binding = 1) uniform sampler3D air;
layout(binding = 2, std430) buffer Leaves { vec4 leaves[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < leaves.length()) leaves[i] = vec4(weather.strength * wispWindAt(air, weather.wind, leaves[i].xyz), weather.seconds);
}
