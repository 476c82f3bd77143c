// SPDX-License-Identifier: MIT
// A whole sweep on the tile, which `fillTile` fills, and its own cells to pressureOut. Needs shared/tile.glsl.
void sweepTile() {
    int thread = int(gl_LocalInvocationIndex);
    TileCell red[kAround], black = ownCell(thread, 1);
    [[unroll]] for (int k = 0; k < kAround; ++k) red[k] = cellAround(thread + k * WISP_TILE_THREADS, 0);
    fillTile();
    barrier();
    [[unroll]] for (int k = 0; k < kAround; ++k) relaxCell(red[k]);
    barrier();
    relaxCell(black);
    barrier();
}

void storeTile() {
    [[unroll]] for (int k = 0; k < 2; ++k) {
        ivec3 p = ownPair(int(gl_LocalInvocationIndex)) + k * unit(0), C = tileFirst() + p;
        if (!outside(C, level.cells)) pressureOut[cellIndex(level, C)] = tile[placeOf(p)];
    }
}
