#version 460
// SPDX-License-Identifier: MIT
// A triangle that covers the picture. Its corners follow from their numbers.
layout(location = 0) out vec2 point;  // from -1 (left, top) to 1 (right, bottom)

void main() {
    point = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
    gl_Position = vec4(point, 0.0, 1.0);
}
