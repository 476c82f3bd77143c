#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/blocks.glsl"
#include "shared/pieces.glsl"
// Finds cells, as bits of their block, whose fluid obstacles cut off from the rest of the block and that hardly opens outwards: no fully
// open face, and an open area of at most one face on the outside of the block. Also finds fluid that opens nowhere. The divergence of such
// cells cannot be repaired. close_pieces.comp makes them solid, which moves the surface by less than a cell in a few places.
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2, scalar) writeonly buffer ClosedOut { uint closedOut[]; };

const float kRounding = 1e-4;  // apertures are multiples of 1/255

float alphaOf(ivec3 f, int axis) { return faceOf(f, axis) ? apertureAt(aperture, f)[axis] : 0.0; }

// Openings of the cells of a block.
struct Openings {
    float outer[8];   // open area of the cell's faces on the outside of the block
    bool whole[8];    // one of its faces is fully open
    ivec3 inner;      // see pieceOf
    int fluid;
};

Openings openingsOf(ivec3 first) {
    Openings o;
    o.inner = ivec3(0);
    o.fluid = 0;
    for (int n = 0; n < 8; ++n) {
        ivec3 c = first + corner(n);
        o.outer[n] = 0.0;
        o.whole[n] = false;
        if (outside(c, level.cells)) continue;
        for (int axis = 0; axis < kAxes; ++axis) {
            bool upper = (n & 1 << axis) != 0;
            float low = alphaOf(c, axis), high = alphaOf(c + unit(axis), axis);
            if (low > 0.0 || high > 0.0) o.fluid |= 1 << n;
            if (upper && low > 0.0) o.inner[axis] |= 1 << (n ^ 1 << axis);
            o.outer[n] += upper ? high : low;
            if (!upper && first[axis] + 1 == level.cells[axis]) o.outer[n] += high;  // the block is truncated
            o.whole[n] = o.whole[n] || low == 1.0 || high == 1.0;
        }
    }
    return o;
}

float areaOf(Openings o, int piece) {
    float area = 0.0;
    for (int n = 0; n < 8; ++n) area += (piece >> n & 1) != 0 ? o.outer[n] : 0.0;
    return kFlat ? 2.0 * area : area;  // the second layer is an image of the first and adds the same area
}

uint smallPieces(Openings o) {
    int largest = 0;
    float most = -1.0;
    for (int left = o.fluid; left != 0;) {
        int piece = pieceOf(findLSB(left), o.inner);
        float area = areaOf(o, piece);
        if (area > most + kRounding) {
            most = area;
            largest = piece;
        }
        left &= ~piece;
    }
    if (most <= kRounding) largest = 0;  // fluid that opens nowhere
    int small = 0;
    for (int left = o.fluid & ~largest; left != 0;) {
        int piece = pieceOf(findLSB(left), o.inner);
        bool whole = false;
        for (int n = 0; n < 8; ++n) whole = whole || ((piece >> n & 1) != 0 && o.whole[n]);
        if (!whole && areaOf(o, piece) <= 1.0 + kRounding) small |= piece;
        left &= ~piece;
    }
    return uint(small);
}

void main() {
    ivec3 C = level.first + cell();
    if (outside(C, blocks() + 1) || outside(cell(), level.size) || (blocksInSlots() && !isBlockStored(C))) return;
    closedOut[faceIndex(C)] = outside(C, blocks()) ? 0u : smallPieces(openingsOf(2 * C));
}
