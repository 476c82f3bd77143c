#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/blocks.glsl"
// Widens faces within the blocks of `level` that are narrower than the faces by which flow enters their block on both sides, in place:
// alpha >= min over both cells of the widest face on the outside of the block. The pressure treats a block as one cell. The flow that it
// drives through a block would pass a gap at many times its speed. Advected to wide faces, this velocity would carry more flow, increasing
// step by step. Runs over fine texels.
layout(binding = 1) uniform sampler3D aperture;    // of `level`
layout(binding = 2) uniform sampler3D apertureIn;  // of the fine grid
layout(binding = 3) uniform writeonly image3D apertureOut;

const float kRounding = 1e-4;  // apertures are multiples of 1/255, or means of four

float alphaOf(ivec3 f, int axis) { return faceOf(f, axis) ? apertureAt(aperture, f)[axis] : 0.0; }

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
    ivec3 f = level.first + cell(), c = f / level.fineCells;
    if (outside(f, sim.cells) || outside(cell(), level.size) || !isStored(f)) return;
    vec4 alpha = texelFetch(apertureIn, texelOf(f), 0), wide = alpha;
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        if (f[axis] != c[axis] * level.fineCells || (c[axis] & 1) == 0 || alpha[axis] == 0.0) continue;
        float least = min(widestOutside(c), widestOutside(c - unit(axis)));
        if (alphaOf(c, axis) < least - kRounding) wide[axis] = max(alpha[axis], least);
    }
    if (wide != alpha) imageStore(apertureOut, texelOf(f), wide);
}
