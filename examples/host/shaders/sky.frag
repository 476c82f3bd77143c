#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "world.glsl"
layout(location = 0) in vec2 point;
layout(location = 0) out vec4 radiance;

void main() { radiance = vec4(sky(normalize(view.forward.xyz + point.x * view.right.xyz - point.y * view.up.xyz)), 1.0); }
