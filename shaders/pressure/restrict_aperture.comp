#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#define WISP_ONCE_PER_SLOT
#include "shared/blocks.glsl"
// Apertures of the faces and cells of the next coarser grid: means over the finer ones, so that both grids agree exactly.
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2) uniform writeonly image3D coarseOut;

void main() {
    ivec3 C = level.first + cell();
    if (outside(C, blocks() + 1) || !isBlockStored(C)) return;
    vec4 mean = vec4(0.0);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        for (int n = 0; n < 4; ++n) {
            ivec3 f = fineFace(C, axis, n);
            if (faceOf(f, axis)) mean[axis] += 0.25 * apertureAt(aperture, f)[axis];
        }
    }
    for (int n = 0; n < 8; ++n) {
        ivec3 c = cellOfBlock(C, n);
        if (!outside(c, level.cells)) mean.w += 0.125 * apertureAt(aperture, c).w;
    }
    imageStore(coarseOut, blockTexel(C), mean);
}
