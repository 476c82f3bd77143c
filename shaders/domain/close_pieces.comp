#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/blocks.glsl"
// Closes all fine faces of the cells that small_pieces.comp found on `level`, in place. Runs over a box of fine texels: small_pieces.comp
// has only looked at the blocks around this box.
layout(binding = 1, scalar) readonly buffer Closed { uint closed[]; };
layout(binding = 2) uniform sampler3D apertureIn;
layout(binding = 3) uniform writeonly image3D apertureOut;

bool isClosed(ivec3 c) {
    c = wrappedOnce(c, sim.cells);
    if (outside(c, sim.cells)) return false;
    if (blocksInSlots() && !isStored(c)) return false;
    c /= level.fineCells;
    int n = (c.x & 1) | (c.y & 1) << 1 | (c.z & 1) << 2;
    return (closed[faceIndex(c / 2)] >> n & 1u) != 0u;
}

void main() {
    ivec3 c = level.first + cell();
    if (outside(c, sim.cells + 1) || outside(cell(), level.size) || !isStored(c)) return;
    bool here = isClosed(c), below[3] = bool[3](false, false, false);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) below[axis] = isClosed(c - unit(axis));
    if (!here && !below[0] && !below[1] && !below[2]) return;
    vec4 alpha = texelFetch(apertureIn, texelOf(c), 0);
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (here || below[axis]) alpha[axis] = 0.0;
    }
    if (here) alpha.w = 0.0;
    imageStore(apertureOut, texelOf(c), alpha);
}
