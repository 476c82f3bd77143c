// SPDX-License-Identifier: MIT
// Fills the tile from pressureIn. Needs shared/tile.glsl.
void loadTile() {
    for (int n = int(gl_LocalInvocationIndex); n < kStored.x * kStored.y * kStored.z; n += WISP_TILE_THREADS) {
        ivec3 C = tileFirst() + storedPlace(n);
        tile[n] = outside(C, level.cells) ? 0.0 : pressureIn[cellIndex(level, C)];
    }
    synchronize();
}
