#version 460
// SPDX-License-Identifier: MIT
// Takes long enough for the host to look at a frame that is still running.
layout(local_size_x = 64) in;
layout(binding = 0) buffer B0 { float values[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= values.length()) return;
    float x = float(i);
    for (int n = 0; n < 20000; ++n) x = fract(x * 1.37 + 0.11);
    values[i] = x;
}
