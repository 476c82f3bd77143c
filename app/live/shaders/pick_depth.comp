#version 460
// SPDX-License-Identifier: MIT
// Copies one pixel of an image's depth, for interaction that needs the distance of the point under the cursor.
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D depth;
layout(binding = 1, std430) writeonly buffer Out { float found[]; };
layout(push_constant) uniform Push { ivec2 pixel; };

void main() { found[0] = texelFetch(depth, clamp(pixel, ivec2(0), textureSize(depth, 0) - 1), 0).x; }
