// SPDX-License-Identifier: MIT
// The tile's own cells to pressureOut, and what a sweep has left of them for the next coarser level: its right-hand side is
// H_c^2 times the mean residual (b - A q) / H^2 of the eight cells below, half their sum; of four in flat grids, their sum.
// Needs shared/tile.glsl; `own` is the thread's pair of cells.
shared float sums[WISP_THREADS];

void restrictTile(TileCell own[2]) {
    int n = int(gl_LocalInvocationIndex);
    ivec3 p = ownPair(n), C = (tileFirst() + p) / 2;
    storeTile();
    sums[n] = (own[0].sum > 0.0 ? residualOf(own[0]) : 0.0) + (own[1].sum > 0.0 ? residualOf(own[1]) : 0.0);
    barrier();
    // Of four threads with a pair of cells each, one has the coarse cell.
    if (((p.y | p.z) & 1) == 1 || outside(C, coarse.cells)) return;
    const int row = kTile.x / 2, plane = row * kTile.y;
    float sum = sums[n] + sums[n + row];
    if (!kFlat) sum += sums[n + plane] + sums[n + plane + row];
    rhsOut[cellIndex(coarse, C)] = 0.5 * float(kHalvesOfSum) * sum;
}
