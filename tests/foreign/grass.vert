#version 460
// SPDX-License-Identifier: MIT
// Another program's blades of grass, bent by the wind: the public header in a vertex shader.
#extension GL_GOOGLE_include_directive : require
#include "wisp/wind.glsl"
layout(set = 0, binding = 0) uniform sampler3D faces;
layout(push_constant) uniform Push {
    mat4 camera;
    WispWind wind;
};
layout(location = 0) in vec3 place;

void main() { gl_Position = camera * vec4(place + 0.1 * wispWindAt(faces, wind, place), 1.0); }
