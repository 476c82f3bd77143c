// SPDX-License-Identifier: MIT
// Sums and maxima over a grid in a fixed order, so that the same field gives the same bits. A group of 256 threads reduces its values to
// one record of 8 numbers. reduce_final.comp reduces the records.
#extension GL_EXT_scalar_block_layout : require
#include "shared/branches.glsl"
#define WISP_GROUP 256
layout(local_size_x = WISP_GROUP) in;
layout(binding = 15, scalar) writeonly buffer PartialsOut { float partialsOut[]; };
shared float tile[8 * WISP_GROUP], parts[64];

// Groups are arranged in rows, because some devices allow at most 65535 groups along an axis.
uint groupIndex() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

float joined(uint number, float a, float b) { return number < 6u ? a + b : max(a, b); }

// Sums the first six numbers of `v` over the group and takes the maximum of the last two. For each number, eight threads take every eighth
// value, and one thread combines their results. A tree would need a barrier and shared loads of all threads for every halving. On a CPU
// device this costs more than the measurement itself.
void reduceGroup(float v[8]) {
    const uint kParts = 8;
    uint t = gl_LocalInvocationIndex, number = t / kParts;
    for (int n = 0; n < 8; ++n) tile[n * WISP_GROUP + t] = v[n];
    barrier();
    if (number < 8u) {
        uint first = number * WISP_GROUP + t % kParts;
        float part = tile[first];
        for (uint i = kParts; i < WISP_GROUP; i += kParts) part = joined(number, part, tile[first + i]);
        parts[t] = part;
    }
    barrier();
    if (t >= 8u) return;
    float all = parts[t * kParts];
    for (uint p = 1u; p < kParts; ++p) all = joined(t, all, parts[t * kParts + p]);
    partialsOut[groupIndex() * 8u + t] = all;
}

// Cell n of a grid of `size` cells, x fastest.
ivec3 numberedCell(int n, ivec3 size) { return ivec3(n % size.x, (n / size.x) % size.y, n / (size.x * size.y)); }
int cellsOf(ivec3 size) { return size.x * size.y * size.z; }

// Advances from one cell by `way` in that order, and carries over at the end of a row and of a layer. It needs no divisions, which take as
// long as loads.
ivec3 cellAfter(ivec3 c, ivec3 way, ivec3 size) {
    c += way;
    int row = int(c.x >= size.x);
    c -= ivec3(row * size.x, -row, 0);
    int layer = int(c.y >= size.y);
    return c - ivec3(0, layer * size.y, -layer);
}

// For sums in which each invocation takes many values: its first value and the stride to the next.
int firstValue() { return int(groupIndex() * WISP_GROUP + gl_LocalInvocationIndex); }
int nextValue() { return int(gl_NumWorkGroups.x * gl_NumWorkGroups.y * WISP_GROUP); }
// For sums in which each invocation takes one cell, which may be outside the grid.
ivec3 linearCell(ivec3 size) { return numberedCell(firstValue(), size); }
