// SPDX-License-Identifier: MIT
// A tile of `level` and WISP_HALO cells around it in shared memory. Each half sweep there needs one layer less of them than
// the one before: what neighbouring groups do too is done twice, and nobody waits for a dispatch in between.
// Needs a push constant `level` and a buffer `rhs`.
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
#include "shared/regular.glsl"
#include "shared/tile.h"
layout(local_size_x = WISP_TILE_THREADS) in;
const ivec3 kTile = ivec3(WISP_TILE_X, WISP_TILE_Y, WISP_TILE_Z), kStored = kTile + 2 * WISP_HALO;
const int kHalf = kStored.x / 2;
shared float tile[kStored.x * kStored.y * kStored.z];  // q, 0 outside the box

ivec3 tileFirst() { return ivec3(gl_WorkGroupID) * kTile - WISP_HALO; }  // the cell at the first place

// Rows lie as in shared/pressure_level.h, by parity of the place.
int placeOf(ivec3 p) { return (p.z * kStored.y + p.y) * kStored.x + (p.x & 1) * kHalf + (p.x >> 1); }

void synchronize() {
    barrier();
}

// (A q)_C = sum_f w_f (q_C - q_n) from differences, see shared/neighbours.glsl; t is the place of C, odd its parity along x.
float tileApplied(ivec3 C, int t, bool odd, bool regular, vec4 w) {
    int left = t + (odd ? -kHalf : kHalf - 1), row = kStored.x, plane = row * kStored.y;
    float q = tile[t];
    vec3 low = q - vec3(tile[left], tile[t - row], tile[t - plane]), high = q - vec3(tile[left + 1], tile[t + row], tile[t + plane]);
    if (regular) return (low.x + high.x) + (low.y + high.y) + (low.z + high.z);
    vec3 wHigh = vec3(weightsAt(level, C + unit(0)).x, weightsAt(level, C + unit(1)).y, weightsAt(level, C + unit(2)).z);
    return dot(w.xyz, low) + dot(wHigh, high);
}

// Half a sweep over the tile and `halo` layers around it.
void relaxTile(int colour, const int halo) {
    const int skip = WISP_HALO - halo, inRow = kTile.x / 2 + halo, rows = kTile.y + 2 * halo, planes = kTile.z + 2 * halo;
    for (int n = int(gl_LocalInvocationIndex); n < inRow * rows * planes; n += WISP_TILE_THREADS) {
        ivec3 p = ivec3(2 * (n % inRow), (n / inRow) % rows, n / (inRow * rows)) + skip, C = tileFirst() + p;
        int shift = (C.x + C.y + C.z + colour) & 1;
        p.x += shift;
        C.x += shift;
        if (outside(C, level.cells)) continue;
        int t = placeOf(p);
        float b = rhs[cellIndex(level, C)];
        bool regular = isRegular(level, C), odd = (p.x & 1) == 1;
        vec4 w = regular ? vec4(6.0) : weightsAt(level, C);
        float change = regular ? (b - tileApplied(C, t, odd, true, w)) * (1.0 / 6.0)
                               : w.w > 0.0 ? (b - tileApplied(C, t, odd, false, w)) / w.w : -tile[t];
        tile[t] += omega * change;
    }
    synchronize();
}

// The cell that thread n of a loop over stored places takes, in the order of memory, and its place n.
ivec3 storedPlace(int n) {
    int slot = n % kStored.x;
    return ivec3(slot < kHalf ? 2 * slot : 2 * (slot - kHalf) + 1, (n / kStored.x) % kStored.y, n / (kStored.x * kStored.y));
}
