#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/blocks.glsl"
// Finds cells, as bits of their block, that close_pieces.comp makes solid, which moves the surface by less than a block in a few places:
// fluid that opens nowhere, and fluid behind a gap. The pressure does not see the inside of a block. It would drive the flow of the whole
// block through the gap at many times its speed. Advection would carry this speed to the faces outside, so that it would rise from step to
// step. Where obstacles leave no gap at all, the divergence of both sides cannot be repaired.
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2, scalar) writeonly buffer ClosedOut { uint closedOut[]; };

const int kWhole = 2040;  // areas are whole numbers of 1/2040: of 1/255, means of four of them, and half of those
const int kEqual = 62;    // areas that differ by less are equal: six faces, rounded to 1/255
// Largest ratio of the area by which fluid opens outwards to the area by which it opens to the rest of its block. Half of an open block has
// 3: twelve faces outside, four inside. This and a third more, for curved surfaces, is what a gap may have.
const int kMostFlow = 4;

// Open areas of the faces of the cells of a block: for each axis four low ones, four in the middle and four high ones.
int areas[3][12];
// Axes, as bits, along which a block at the high side of the grid has one layer of cells: the faces in the middle are then the high ones.
int truncated;

// Number of the low face of cell n among the faces of an axis.
int lowFace(int n, int axis) { return (n >> axis & 1) << 2 | (n >> (axis + 1) % 3 & 1) | (n >> (axis + 2) % 3 & 1) << 1; }

void loadAreas(ivec3 first) {
    bvec3 isLast = equal(first + 1, level.cells);
    truncated = int(isLast.x) | int(isLast.y) << 1 | int(isLast.z) << 2;
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        [[unroll]] for (int n = 0; n < 12; ++n) {
            ivec3 f = first + (n >> 2) * unit(axis) + (n & 1) * unit((axis + 1) % 3) + (n >> 1 & 1) * unit((axis + 2) % 3);
            areas[axis][n] = faceOf(f, axis) ? int(round(float(kWhole) * apertureAt(aperture, f)[axis])) : 0;
        }
    }
}

// Open areas of the cells of a block.
struct Openings {
    int fluid;       // cells that open somewhere
    int outer[8];    // of the cell's faces on the outside of the block
    ivec3 inner[8];  // of its faces to the cells beside it in the block
    bool hasGaps;    // an inner face is not fully open
};

Openings openings() {
    Openings o;
    o.fluid = 0;
    o.hasGaps = false;
    int widest[8];  // of the cell's faces on the outside of the block
    [[unroll]] for (int n = 0; n < 8; ++n) {
        o.outer[n] = widest[n] = 0;
        o.inner[n] = ivec3(0);
        if ((n & truncated) != 0) continue;
        [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
            int low = areas[axis][lowFace(n, axis)], high = areas[axis][lowFace(n, axis) + 4];
            bool isUpper = (n >> axis & 1) != 0, isAlone = (truncated >> axis & 1) != 0;
            int outwards = isAlone ? (low + high) / 2 : isUpper ? high : low;  // half, as if there were the same layer again
            o.outer[n] += outwards;
            widest[n] = max(widest[n], isAlone ? max(low, high) : outwards);
            if (!isAlone) o.inner[n][axis] = isUpper ? low : high;
            if (low + high > 0) o.fluid |= 1 << n;
            o.hasGaps = o.hasGaps || (!isAlone && o.inner[n][axis] < kWhole);
        }
    }
    [[unroll]] for (int n = 0; n < 8; ++n)
        [[unroll]] for (int axis = 0; axis < kAxes; ++axis)  // as widen_gaps.comp
            if (o.inner[n][axis] > 0) o.inner[n][axis] = max(o.inner[n][axis], min(widest[n], widest[n ^ 1 << axis]));
    return o;
}

// Of each two parts of the block with a gap between them the one that opens less, or both if they are equal: so the order of the cells does
// not matter. Also parts that open nowhere.
int toClose(Openings o) {
    int rest = 0;
    for (int n = 0; n < 8; ++n) rest += o.outer[n];
    if (rest == 0 || !o.hasGaps) return rest == 0 ? o.fluid : 0;
    int closed = 0;
    int area = 0, gap = 0, part = 0;  // solid cells may be in either part
    for (int step = 1; step < 128; ++step) {  // Gray code: from part to part, one cell changes sides. Cell 7 stays in the rest
        int n = findLSB(step);
        part ^= 1 << n;
        bool joins = (part >> n & 1) != 0;
        area += joins ? o.outer[n] : -o.outer[n];
        rest += joins ? -o.outer[n] : o.outer[n];
        [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
            bool isInPart = (part >> (n ^ 1 << axis) & 1) != 0;
            gap += isInPart == joins ? -o.inner[n][axis] : o.inner[n][axis];
        }
        bool isNarrow = min(area, rest) > kMostFlow * gap;
        if ((isNarrow && area < rest + kEqual) || (area == 0 && gap == 0)) closed |= part;
        if ((isNarrow && rest < area + kEqual) || (rest == 0 && gap == 0)) closed |= 255 ^ part;
    }
    return closed & o.fluid;
}

void main() {
    ivec3 C = level.first + cell();
    if (outside(C, blocks() + 1) || outside(cell(), level.size) || (blocksInSlots() && !isBlockStored(C))) return;
    int closed = 0;
    if (!outside(C, blocks())) {
        loadAreas(2 * C);
        closed = toClose(openings());
    }
    closedOut[faceIndex(C)] = uint(closed);
}
