#version 460
// SPDX-License-Identifier: MIT
// Another program's picture of the wind: the public header in a fragment shader, with an array of fields in a buffer.
#extension GL_GOOGLE_include_directive : require
#include "wisp/wind.glsl"
layout(set = 1, binding = 4) uniform sampler3D faces[2];
layout(set = 1, binding = 5, std430) readonly buffer Winds { WispWind winds[]; };
layout(location = 0) in vec3 place;
layout(location = 0) out vec4 colour;

void main() { colour = vec4(wispWindAt(faces[1], winds[1], place), 1.0); }
