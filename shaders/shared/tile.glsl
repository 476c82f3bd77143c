// SPDX-License-Identifier: MIT
// A tile of `level` and two layers of cells around it in shared memory. Each half sweep there needs one layer less of them
// than the one before: what neighbouring groups do too is done twice, and nobody waits for a dispatch in between. All that
// comes from memory is asked for at once, before the first of them, for its latency is most of the time.
// Needs a push constant `level` and a buffer `rhs`.
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
#include "shared/tile.h"
layout(local_size_x = WISP_TILE_THREADS) in;
const ivec3 kTile = ivec3(WISP_TILE_X, WISP_TILE_Y, WISP_TILE_Z), kStored = kTile + 4;
const int kHalf = kStored.x / 2, kCells = kStored.x * kStored.y * kStored.z;
const int kAround = ((kTile.x / 2 + 1) * (kTile.y + 2) * (kTile.z + 2) + WISP_TILE_THREADS - 1) / WISP_TILE_THREADS;
shared float tile[kCells];  // q, 0 outside the box

ivec3 tileFirst() { return ivec3(gl_WorkGroupID) * kTile - 2; }  // the cell at the first place
ivec3 nearest(PressureLevel l, ivec3 C) { return clamp(C, ivec3(0), l.cells - 1); }

// Rows lie as in shared/pressure_level.h, by parity of the place.
int placeOf(ivec3 p) { return (p.z * kStored.y + p.y) * kStored.x + (p.x & 1) * kHalf + (p.x >> 1); }

// A cell with what its equation needs; the right neighbour follows the left one.
struct TileCell {
    int place, left;
    vec3 low, high;   // weights
    float b, sum;     // sum of the weights; -1 outside the box
};

TileCell tileCell(ivec3 p) {
    ivec3 stored = tileFirst() + p, C = nearest(level, stored);
    vec4 w = weightsAt(level, C);
    vec3 high = vec3(weightsAt(level, C + unit(0)).x, weightsAt(level, C + unit(1)).y, weightsAt(level, C + unit(2)).z);
    int place = placeOf(p);
    return TileCell(place, place + ((p.x & 1) == 1 ? -kHalf : kHalf - 1), w.xyz, high, rhs[cellIndex(level, C)], stored == C ? w.w : -1.0);
}

// Cell n of a colour in the tile and the layer around it, or in the tile alone.
TileCell cellAround(int n, int colour) {
    const int row = kTile.x / 2 + 1, rows = kTile.y + 2, last = row * rows * (kTile.z + 2) - 1;
    int i = min(n, last);
    ivec3 p = ivec3(2 * (i % row), (i / row) % rows, i / (row * rows)) + 1;
    p.x += (p.x + p.y + p.z + colour) & 1;  // the tile begins at an even cell
    TileCell c = tileCell(p);
    if (n > last) c.sum = -1.0;
    return c;
}
ivec3 ownPair(int n) { return ivec3(2 * (n % (kTile.x / 2)), (n / (kTile.x / 2)) % kTile.y, n / (kTile.x / 2 * kTile.y)) + 2; }
TileCell ownCell(int n, int colour) {
    ivec3 p = ownPair(n);
    return tileCell(ivec3(p.x + ((p.y + p.z + colour) & 1), p.yz));
}

// b - A q, as differences of neighbours: see shared/neighbours.glsl.
float residualOf(TileCell c) {
    int row = kStored.x, plane = row * kStored.y;
    float q = tile[c.place];
    return c.b - dot(c.low, q - vec3(tile[c.left], tile[c.place - row], tile[c.place - plane])) -
           dot(c.high, q - vec3(tile[c.left + 1], tile[c.place + row], tile[c.place + plane]));
}

void relaxCell(TileCell c) {
    if (c.sum >= 0.0) tile[c.place] += omega * (c.sum > 0.0 ? residualOf(c) / c.sum : -tile[c.place]);
}

// The cell of stored place n, in the order of memory.
ivec3 storedPlace(int n) {
    int slot = n % kStored.x;
    return ivec3(slot < kHalf ? 2 * slot : 2 * (slot - kHalf) + 1, (n / kStored.x) % kStored.y, n / (kStored.x * kStored.y));
}
