// SPDX-License-Identifier: MIT
// Sums and maxima over a grid in a fixed order, so that the same field gives the same bits. A group of 256 threads folds
// its values to one record of 8 numbers; fold.comp folds the records.
#extension GL_EXT_scalar_block_layout : require
#include "shared/branches.glsl"
#define WISP_GROUP 256
layout(local_size_x = WISP_GROUP) in;
layout(binding = 15, scalar) writeonly buffer PartialsOut { float partialsOut[]; };
shared float tile[8 * WISP_GROUP];

// Groups come in rows, because a row has at most 65535 of them on some devices.
uint groupIndex() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

// The first six of `v` are summed, the last two maximised.
void foldGroup(float v[8]) {
    uint t = gl_LocalInvocationIndex;
    for (int n = 0; n < 8; ++n) tile[n * WISP_GROUP + t] = v[n];
    for (uint s = WISP_GROUP / 2; s > 0; s >>= 1) {
        barrier();
        if (t >= s) continue;
        for (int n = 0; n < 8; ++n) {
            uint i = n * WISP_GROUP + t;
            tile[i] = n < 6 ? tile[i] + tile[i + s] : max(tile[i], tile[i + s]);
        }
    }
    barrier();
    if (t < 8) partialsOut[groupIndex() * 8 + t] = tile[t * WISP_GROUP];
}

// Cell n of a grid of `size` cells, x fastest.
ivec3 numberedCell(int n, ivec3 size) { return ivec3(n % size.x, (n / size.x) % size.y, n / (size.x * size.y)); }
int cellsOf(ivec3 size) { return size.x * size.y * size.z; }

// From one cell to another `way` later in that order, where a row and a layer have no end: without divisions, which take as long as loads.
ivec3 cellAfter(ivec3 c, ivec3 way, ivec3 size) {
    c += way;
    int row = int(c.x >= size.x);
    c -= ivec3(row * size.x, -row, 0);
    int layer = int(c.y >= size.y);
    return c - ivec3(0, layer * size.y, -layer);
}

// For sums in which each invocation takes many values: its first one and the distance to the next.
int firstValue() { return int(groupIndex() * WISP_GROUP + gl_LocalInvocationIndex); }
int nextValue() { return int(gl_NumWorkGroups.x * gl_NumWorkGroups.y * WISP_GROUP); }
// For those in which each takes one, which may be outside.
ivec3 linearCell(ivec3 size) { return numberedCell(firstValue(), size); }
