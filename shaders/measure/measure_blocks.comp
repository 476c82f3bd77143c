#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#include "shared/reduce.glsl"
#include "shared/blocks.glsl"
#include "shared/pieces.glsl"
#include "shared/stored_cells.glsl"
// Number of blocks whose fluid an obstacle cuts into two or more components: their divergence cannot be repaired exactly.
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2, scalar) readonly buffer OpenFaces { uint openFaces[]; };

float alphaOf(ivec3 f, int axis) { return faceOf(f, axis) ? texelFetch(aperture, levelTexel(f), 0)[axis] : 0.0; }

bool isSplit(ivec3 first) {
    int fluid = 0;
    ivec3 inner = ivec3(0);
    for (int n = 0; n < 8; ++n) {
        ivec3 c = first + corner(n);
        if (outside(c, level.cells)) continue;
        for (int axis = 0; axis < kAxes; ++axis) {
            float low = alphaOf(c, axis), high = alphaOf(c + unit(axis), axis);
            if (low > 0.0 || high > 0.0) fluid |= 1 << n;
            if ((n & 1 << axis) != 0 && low > 0.0) inner[axis] |= 1 << (n ^ 1 << axis);
        }
    }
    return fluid != 0 && pieceOf(findLSB(fluid), inner) != fluid;
}

void add(inout float v[8], ivec3 C) {
    bool cut = !isClearBlock(openFaces[faceIndex(C)]);
    for (int once = 0; once < noUnrollIf(cut, 1); ++once) if (cut && isSplit(2 * C)) v[0] += 1.0;
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    if (kSparse) {
        int edge = WISP_BRICK_EDGE / 2 / level.fineCells;
        for (uint n = uint(firstValue()); n < storedCells(edge); n += uint(nextValue())) {
            ivec3 C = storedCell(n, edge);
            if (!outside(C, blocks())) add(v, C);
        }
    } else {
        ivec3 C = numberedCell(firstValue(), blocks()), way = numberedCell(nextValue(), blocks());
        for (int n = firstValue(); n < noUnroll(cellsOf(blocks())); n += nextValue(), C = cellAfter(C, way, blocks())) add(v, C);
    }
    reduceGroup(v);
}
