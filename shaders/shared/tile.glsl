// SPDX-License-Identifier: MIT
// A tile of `level` and WISP_LAYERS layers of cells around it in shared memory (an even number). Each half sweep needs one layer less than
// the half sweep before. Neighbouring groups repeat some of the work, but no group waits for a dispatch in between. All loads from memory
// are issued before the first half sweep, because their latency is most of the time.
// Needs a push constant `level`, a buffer `rhs` and WISP_THREADS.
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
#include "shared/tile.h"
layout(local_size_x = WISP_THREADS) in;
const int kTileX = kFlat ? WISP_FLAT_TILE_X : WISP_TILE_X, kTileY = kFlat ? WISP_FLAT_TILE_Y : WISP_TILE_Y,
    kTileZ = kFlat ? 1 : WISP_TILE_Z;
const int kLayersZ = kFlat ? 0 : WISP_LAYERS;
const ivec3 kTile = ivec3(kTileX, kTileY, kTileZ), kLayers = ivec3(WISP_LAYERS, WISP_LAYERS, kLayersZ);
const ivec3 kStored = ivec3(kTileX + 2 * WISP_LAYERS, kTileY + 2 * WISP_LAYERS, kTileZ + 2 * kLayersZ);
const int kHalf = kStored.x / 2, kCells = kStored.x * kStored.y * kStored.z;
// Upper bounds, for the sizes of arrays, which cannot depend on whether the grid is flat.
#define WISP_AROUND(layers) ((WISP_TILE_X / 2 + (layers)) * (WISP_TILE_Y + 2 * (layers)) * (WISP_TILE_Z + 2 * (layers)))
#define WISP_TURNS(count) (((count) + WISP_THREADS - 1) / WISP_THREADS)
#define WISP_STORED (2 * WISP_AROUND(WISP_LAYERS))
shared float tile[WISP_STORED];  // q, 0 outside the box

// Number of cells of a colour in the tile and in `layers` layers around it.
int countAround(int layers) { return (kTile.x / 2 + layers) * (kTile.y + 2 * layers) * (kTile.z + (kFlat ? 0 : 2 * layers)); }
// Whether iteration k of a loop over `count` items has anything to do; known when the pipeline is created.
bool isTurn(int k, int count) { return k * WISP_THREADS < count; }

ivec3 tileFirst() { return ivec3(gl_WorkGroupID) * kTile - kLayers; }  // the cell at the first position
ivec3 nearest(PressureLevel l, ivec3 C) { return clamp(C, ivec3(0), l.cells - 1); }

// Rows are stored as in shared/pressure_level.h, by the parity of the position.
int cellIndex(ivec3 p) { return (p.z * kStored.y + p.y) * kStored.x + (p.x & 1) * kHalf + (p.x >> 1); }

// A cell with the data of its equation. The right neighbour follows the left one.
struct TileCell {
    int place, left;
    vec3 low, high;   // weights
    float b, sum;     // sum of the weights; -1 outside the box
};

TileCell tileCell(ivec3 p) {
    ivec3 stored = tileFirst() + p, C = nearest(level, stored);
    vec4 w = weightsAt(level, C);
    int place = cellIndex(p);
    return TileCell(place, place + ((p.x & 1) == 1 ? -kHalf : kHalf - 1), w.xyz, highWeightsAt(level, C), rhs[cellIndex(level, C)],
        stored == C ? w.w : -1.0);
}

// Cell n of a colour in the tile and in `layers` layers around it; below, in the tile alone.
TileCell cellAround(int n, int colour, int layers) {
    int row = kTile.x / 2 + layers, rows = kTile.y + 2 * layers, last = countAround(layers) - 1;
    int i = min(n, last);
    ivec3 p = ivec3(2 * (i % row), (i / row) % rows, i / (row * rows)) + kLayers - ivec3(layers, layers, kFlat ? 0 : layers);
    p.x += (p.x + p.y + p.z + colour) & 1;  // the tile begins at an even cell
    TileCell c = tileCell(p);
    if (n > last) c.sum = -1.0;
    return c;
}
ivec3 ownPair(int n) { return ivec3(2 * (n % (kTile.x / 2)), (n / (kTile.x / 2)) % kTile.y, n / (kTile.x / 2 * kTile.y)) + kLayers; }
TileCell ownCell(int n, int colour) {
    ivec3 p = ownPair(n);
    return tileCell(ivec3(p.x + ((p.y + p.z + colour) & 1), p.yz));
}

// b - A q, as differences of neighbours: see shared/neighbours.glsl.
float residualOf(TileCell c) {
    int row = kStored.x, plane = row * kStored.y;
    float q = tile[c.place];
    if (kFlat) return c.b - dot(c.low.xy, q - vec2(tile[c.left], tile[c.place - row])) -
        dot(c.high.xy, q - vec2(tile[c.left + 1], tile[c.place + row]));
    return c.b - dot(c.low, q - vec3(tile[c.left], tile[c.place - row], tile[c.place - plane])) -
           dot(c.high, q - vec3(tile[c.left + 1], tile[c.place + row], tile[c.place + plane]));
}

void relaxCell(TileCell c) {
    if (c.sum >= 0.0) tile[c.place] += omega * (c.sum > 0.0 ? residualOf(c) / c.sum : -tile[c.place]);
}

// Position of index n, in the order of memory.
ivec3 storedPlace(int n) {
    int slot = n % kStored.x;
    return ivec3(slot < kHalf ? 2 * slot : 2 * (slot - kHalf) + 1, (n / kStored.x) % kStored.y, n / (kStored.x * kStored.y));
}

// Stores the thread's own pair of cells.
void storeTile() {
    [[unroll]] for (int k = 0; k < 2; ++k) {
        ivec3 p = ownPair(int(gl_LocalInvocationIndex)) + k * unit(0), C = tileFirst() + p;
        if (!outside(C, level.cells)) pressureOut[cellIndex(level, C)] = tile[cellIndex(p)];
    }
}
