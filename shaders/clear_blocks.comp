#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/blocks.glsl"
// 1 for every block whose eight cells are there and wholly open, else 0.
layout(binding = 1) uniform sampler3D openness;
layout(binding = 2, scalar) writeonly buffer ClearOut { uint clearOut[]; };

void main() {
    ivec3 C = cell();
    if (outside(C, blocks())) return;
    float least = outside(2 * C + 1, level.cells) ? 0.0 : 1.0;
    for (int n = 0; n < 8; ++n) least = min(least, texelFetch(openness, min(2 * C + corner(n), level.cells), 0).w);
    clearOut[blockIndex(C)] = least == 1.0 ? 1u : 0u;
}
