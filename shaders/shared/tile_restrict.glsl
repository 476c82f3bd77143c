// SPDX-License-Identifier: MIT
// Stores the tile's own cells to pressureOut, and restricts the residual after a sweep to the next coarser level. The coarse right-hand
// side is H_c^2 times the mean residual (b - A q) / H^2 of the eight cells below, which is half their sum. In flat grids it is the sum of
// four cells.
// Needs shared/tile.glsl; `own` is the thread's pair of cells.
shared float sums[WISP_THREADS];

void restrictTile(TileCell own[2]) {
    int n = int(gl_LocalInvocationIndex);
    ivec3 p = ownPair(n), C = (tileFirst() + p) / 2;
    storeTile();
    sums[n] = (own[0].sum > 0.0 ? residualOf(own[0]) : 0.0) + (own[1].sum > 0.0 ? residualOf(own[1]) : 0.0);
    barrier();
    // Four threads with a pair of cells each share a coarse cell; one of them writes it.
    if (((p.y | p.z) & 1) == 1 || outside(C, coarse.cells)) return;
    const int row = kTile.x / 2, plane = row * kTile.y;
    float sum = sums[n] + sums[n + row];
    if (!kFlat) sum += sums[n + plane] + sums[n + plane + row];
    rhsOut[cellIndex(coarse, C)] = 0.5 * float(kHalvesOfSum) * sum;
}
