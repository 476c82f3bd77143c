#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "world.glsl"
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 colour;  // a: 1 for the floor
layout(location = 0) out vec3 positionOut;
layout(location = 1) out vec3 normalOut;
layout(location = 2) out vec4 colourOut;

void main() {
    gl_Position = view.clip * vec4(position, 1.0);
    positionOut = position;
    normalOut = normal;
    colourOut = colour;
}
