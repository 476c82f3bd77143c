#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#define WISP_ONCE_PER_SLOT
#include "shared/blocks.glsl"
// How far obstacles leave a block open. Bits 0 to 2: its low faces are fully open. Bit 3: the block is clear, which means that all of its
// eight cells exist and are fully open.
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2, scalar) writeonly buffer OpenFacesOut { uint openFacesOut[]; };

void main() {
    ivec3 C = level.first + cell();
    if (outside(C, blocks() + 1) || (blocksInSlots() && !isBlockStored(C))) return;
    uint bits = 0u;
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        float least = 1.0;
        for (int n = 0; n < 4; ++n) {
            ivec3 f = fineFace(C, axis, n);
            least = min(least, faceOf(f, axis) ? apertureAt(aperture, f)[axis] : 0.0);
        }
        if (least == 1.0) bits |= 1u << axis;
    }
    float least = outside(cellOfBlock(C, 7), level.cells) ? 0.0 : 1.0;
    for (int n = 0; n < 8; ++n) least = min(least, apertureAt(aperture, min(cellOfBlock(C, n), level.cells)).w);
    if (least == 1.0) bits |= 8u;
    openFacesOut[faceIndex(C)] = bits;
}
