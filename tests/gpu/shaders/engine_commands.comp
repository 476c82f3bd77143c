#version 460
// SPDX-License-Identifier: MIT
// Commands for `units` units of 1, 2, 4, ... work groups, as a pass on the device writes them.
layout(local_size_x = 16) in;
layout(binding = 0) writeonly buffer B0 { uint commandsOut[]; };
layout(push_constant) uniform Push { uint units; };
void main() {
    uint n = gl_LocalInvocationIndex;
    commandsOut[3u * n] = 1u << n;
    commandsOut[3u * n + 1u] = units;
    commandsOut[3u * n + 2u] = 1u;
}
