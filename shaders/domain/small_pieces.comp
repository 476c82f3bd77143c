#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/blocks.glsl"
#include "shared/pieces.glsl"
// Finds cells, as bits of their block, whose fluid obstacles cut off from the rest of the block and that hardly opens outwards: no fully
// open face, and an open area of at most one face on the outside of the block. Also finds fluid that opens nowhere. The divergence of such
// cells cannot be repaired. close_pieces.comp makes them solid, which moves the surface by less than a cell in a few places.
// Also finds all but the largest of the parts of fluid that a thin plate separates. They are connected by cells that are mostly solid. The
// pressure does not see the plate, because the block is one of its cells. It would drive the flow of the whole block through the gaps in
// these cells at many times its speed, faster from step to step.
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2, scalar) writeonly buffer ClosedOut { uint closedOut[]; };

const float kRounding = 1e-4;  // apertures are multiples of 1/255
const float kEqual = 0.03;     // areas of parts that differ by less are equal: six faces, rounded to 1/255
// Cells that are more than half open and lie side by side share a face that is half open if they lie on one side of a plane. Where the
// surface is curved, the face may be less open.
const float kWide = 0.4;

float alphaOf(ivec3 f, int axis) { return faceOf(f, axis) ? apertureAt(aperture, f)[axis] : 0.0; }

// Openings of the cells of a block.
struct Openings {
    float outer[8];   // open area of the cell's faces on the outside of the block
    bool whole[8];    // one of its faces is fully open
    ivec3 inner;      // see pieceOf
    ivec3 wide;       // the same, of faces that are widely open and between cells that are mostly open
    int fluid;
    int open;  // cells that are mostly open
};

Openings openingsOf(ivec3 first) {
    Openings o;
    o.inner = o.wide = ivec3(0);
    o.fluid = o.open = 0;
    for (int n = 0; n < 8; ++n) {
        ivec3 c = first + corner(n);
        o.outer[n] = 0.0;
        o.whole[n] = false;
        if (outside(c, level.cells)) continue;
        float all = 0.0;
        for (int axis = 0; axis < kAxes; ++axis) {
            bool upper = (n & 1 << axis) != 0;
            float low = alphaOf(c, axis), high = alphaOf(c + unit(axis), axis);
            if (low > 0.0 || high > 0.0) o.fluid |= 1 << n;
            if (upper && low > 0.0) o.inner[axis] |= 1 << (n ^ 1 << axis);
            if (upper && low > kWide + kRounding) o.wide[axis] |= 1 << (n ^ 1 << axis);
            all += low + high;
            o.outer[n] += upper ? high : low;
            if (!upper && first[axis] + 1 == level.cells[axis]) o.outer[n] += high;  // the block is truncated
            o.whole[n] = o.whole[n] || low == 1.0 || high == 1.0;
        }
        if (all > float(kAxes) + kRounding) o.open |= 1 << n;
    }
    for (int axis = 0; axis < kAxes; ++axis) o.wide[axis] &= o.open & o.open >> (1 << axis);
    return o;
}

float areaOf(Openings o, int piece) {
    float area = 0.0;
    for (int n = 0; n < 8; ++n) area += (piece >> n & 1) != 0 ? o.outer[n] : 0.0;
    return kFlat ? 2.0 * area : area;  // the second layer is an image of the first and adds the same area
}

// What stays fluid of a component: all of it, or the largest of its parts. If the largest ones are equal, nothing stays, so that the order
// of the cells does not matter.
int keptOf(Openings o, int piece) {
    int kept = piece, parts = 0;
    float most = -1.0;
    for (int left = piece & o.open; left != 0;) {
        int part = pieceOf(findLSB(left), o.wide);
        float area = areaOf(o, part);
        if (area > most + kEqual) kept = part;
        else if (area > most - kEqual) kept = 0;
        most = max(most, area);
        left &= ~part;
        ++parts;
    }
    return parts < 2 ? piece : kept;
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
    for (int left = o.fluid; left != 0;) {
        int piece = pieceOf(findLSB(left), o.inner);
        bool whole = false;
        for (int n = 0; n < 8; ++n) whole = whole || ((piece >> n & 1) != 0 && o.whole[n]);
        if (piece != largest && !whole && areaOf(o, piece) <= 1.0 + kRounding) small |= piece;
        else small |= piece & ~keptOf(o, piece);
        left &= ~piece;
    }
    return uint(small);
}

void main() {
    ivec3 C = level.first + cell();
    if (outside(C, blocks() + 1) || outside(cell(), level.size) || (blocksInSlots() && !isBlockStored(C))) return;
    closedOut[faceIndex(C)] = outside(C, blocks()) ? 0u : smallPieces(openingsOf(2 * C));
}
