// SPDX-License-Identifier: MIT
// One whole sweep on the tile, which `fillTile` fills. Needs shared/tile.glsl.
void sweepTile() {
    int thread = int(gl_LocalInvocationIndex);
    TileCell red[WISP_TURNS(WISP_AROUND(1))], black = ownCell(thread, 1);
    [[unroll]] for (int k = 0; k < red.length(); ++k) if (isTurn(k, countAround(1))) red[k] = cellAround(thread + k * WISP_THREADS, 0, 1);
    fillTile();
    barrier();
    [[unroll]] for (int k = 0; k < red.length(); ++k) if (isTurn(k, countAround(1))) relaxCell(red[k]);
    barrier();
    relaxCell(black);
    barrier();
}
