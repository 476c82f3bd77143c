#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#define WISP_ONCE_PER_SLOT
#include "shared/blocks.glsl"
// Bits 0 to 2: the low face of a block and the eight faces around it in its plane exist and are fully open. This holds for most faces, and
// their corrections need not read the apertures in every step (see correction_changes.comp). Bit 3: no solid is in the block
// and in the blocks around it that exist, so that presmooth_divergence.comp and presmooth_pressure.comp need not read them either.
layout(binding = 1, scalar) readonly buffer OpenFaces { uint openFaces[]; };
layout(binding = 2, scalar) writeonly buffer SmoothFacesOut { uint smoothFacesOut[]; };

void main() {
    ivec3 C = level.first + cell();
    if (outside(C, blocks() + 1) || (blocksInSlots() && !isBlockStored(C))) return;
    bool clearAll = true;
    for (int n = 0; n < (kFlat ? 9 : 27); ++n) {
        ivec3 N = blockBeside(C, ivec3(n % 3, n / 3 % 3, kFlat ? 1 : n / 9) - 1);
        clearAll = clearAll && (outside(N, blocks()) || isClearBlock(openFaces[faceIndex(N)]));
    }
    uint bits = clearAll ? 8u : 0u;
    for (int axis = 0; axis < kAxes; ++axis) {
        ivec3 s = unit((axis + 1) % 3), t = unit((axis + 2) % 3);
        bool smoothAll = true;
        for (int n = 0; n < 9; ++n) {
            ivec3 N = blockBeside(C, (n % 3 - 1) * s + (n / 3 - 1) * t);
            smoothAll = smoothAll && !outside(N, blocks() + unit(axis)) && (openFaces[faceIndex(N)] >> axis & 1u) != 0u;
        }
        if (smoothAll) bits |= 1u << axis;
    }
    smoothFacesOut[faceIndex(C)] = bits;
}
