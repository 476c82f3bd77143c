// SPDX-License-Identifier: MIT
// Fills the tile from `pressureIn`. Needs shared/tile.glsl.
void fillTile() {
    float q[WISP_TURNS(WISP_STORED)];
    [[unroll]] for (int k = 0; k < q.length(); ++k) {
        if (!isTurn(k, kCells)) continue;
        ivec3 stored = tileFirst() + storedPlace(int(gl_LocalInvocationIndex) + k * WISP_THREADS), C = nearest(level, stored);
        q[k] = pressureIn[cellIndex(level, C)];
        if (stored != C) q[k] = 0.0;
    }
    [[unroll]] for (int k = 0; k < q.length(); ++k) {
        int n = int(gl_LocalInvocationIndex) + k * WISP_THREADS;
        if (n < kCells) tile[n] = q[k];  // also false where iteration k has nothing to do
    }
}
