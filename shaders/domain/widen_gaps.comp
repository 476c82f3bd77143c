#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/blocks.glsl"
// Widens faces within blocks that are narrower than the faces by which flow enters their block on both sides, in place: alpha >= min over
// both cells of the widest face on the outside of the block. The pressure treats a block as one cell. The flow that it drives through a
// block would pass a gap at many times its speed. Advected to wide faces, this velocity would carry more flow, increasing step by step.
layout(binding = 2) uniform sampler3D apertureIn;
layout(binding = 3) uniform writeonly image3D apertureOut;

float alphaOf(ivec3 f, int axis) { return faceOf(f, axis) ? apertureAt(apertureIn, f)[axis] : 0.0; }

// The faces on the outside keep their values in this pass, whichever thread writes their texels.
float widestOutside(ivec3 c) {
    float widest = 0.0;
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        bool upper = (c[axis] & 1) != 0, last = c[axis] + 1 == level.cells[axis];
        if (!upper) widest = max(widest, alphaOf(c, axis));
        if (upper || last) widest = max(widest, alphaOf(c + unit(axis), axis));
    }
    return widest;
}

void main() {
    ivec3 c = level.first + cell();
    if (outside(c, level.cells) || !isStored(c)) return;
    vec4 alpha = texelFetch(apertureIn, texelOf(c), 0), wide = alpha;
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis)
        if ((c[axis] & 1) != 0 && alpha[axis] > 0.0) wide[axis] = max(alpha[axis], min(widestOutside(c), widestOutside(c - unit(axis))));
    if (wide != alpha) imageStore(apertureOut, texelOf(c), wide);
}
