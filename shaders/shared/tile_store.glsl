// SPDX-License-Identifier: MIT
// Writes the tile's own cells to pressureOut. Needs shared/tile.glsl.
void storeTile() {
    for (int n = int(gl_LocalInvocationIndex); n < kTile.x * kTile.y * kTile.z; n += WISP_TILE_THREADS) {
        int slot = n % kTile.x, x = 2 * (slot % (kTile.x / 2)) + slot / (kTile.x / 2);
        ivec3 p = ivec3(x, (n / kTile.x) % kTile.y, n / (kTile.x * kTile.y)) + WISP_HALO, C = tileFirst() + p;
        if (!outside(C, level.cells)) pressureOut[cellIndex(level, C)] = tile[placeOf(p)];
    }
}
