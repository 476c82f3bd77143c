#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
#include "shared/liquid/to_grid.glsl"
// As liquid_to_grid, with eight threads a texel, two along each axis. They read eight particles at once that lie one behind the other;
// eight texels read
// particles of eight cells, each from another line of the cache, and waiting for that takes most of the time on a GPU. Still no atomics.
const ivec3 kTile = ivec3(4, 4, 2);                  // texels of a group
const int kEdge = kReachBelow + 2;                   // of the cells that a texel looks at
const ivec3 kStored = kTile + kEdge - ivec3(0, 1, 1);  // of the tile, and where the last ones of a row end
shared uint firsts[8 * 7 * 5];  // particles of the cells that the tile looks at
shared uint found;              // 0: none of them has any
const int kPitch = 33;          // between threads of a texel: 32 would be in one bank
shared vec4 sums[8 * kPitch], weights[8 * kPitch];

ivec3 texelAt(int n) { return ivec3(n % kTile.x, (n / kTile.x) % kTile.y, n / (kTile.x * kTile.y)); }

void fillFirsts(ivec3 first) {
    bool any = false;
    for (uint n = gl_LocalInvocationIndex; n < kStored.x * kStored.y * kStored.z; n += 256u) {
        ivec3 c = first + ivec3(n % kStored.x, (n / kStored.x) % kStored.y, n / (kStored.x * kStored.y)), cells = stepData.cells;
        bool isRow = all(lessThan(c.yz, cells.yz)) && all(greaterThanEqual(c.yz, ivec2(0)));
        uint place = isRow ? placeOf(ivec3(clamp(c.x, 0, cells.x), c.yz), cells) : 0u;
        firsts[n] = isRow ? cellFirst[place] : 0u;
        any = any || (isRow && c.x >= 0 && c.x < cells.x && cellFirst[place + 1u] > cellFirst[place]);
    }
    if (any) atomicOr(found, 1u);
}

Gathered gatherEighth(ivec3 c, ivec3 texel, uint lane) {
    Gathered g = kNothing;
    for (int z = 0; z < kEdge; ++z) {
        for (int y = 0; y < kEdge; ++y) {
            int row = ((texel.z + z) * kStored.y + texel.y + y) * kStored.x + texel.x;
            uint end = firsts[row + kEdge];
            for (uint n = firsts[row] + lane; n < end; n += 8u) gather(g, c, n);
        }
    }
    return g;
}

void main() {
    int t = int(gl_LocalInvocationIndex), lane = t % 8;
    ivec3 first = ivec3(gl_WorkGroupID) * kTile;
    if (t == 0) found = 0u;
    barrier();
    fillFirsts(first - kReachBelow);
    barrier();
    Gathered g = kNothing;
    if (found != 0u) {
        g = gatherEighth(first + texelAt(t / 8), texelAt(t / 8), uint(lane));
        sums[lane * kPitch + t / 8] = vec4(g.sum, g.atCentre);
        weights[lane * kPitch + t / 8] = vec4(g.weight, 0.0);
    }
    barrier();
    if (t >= 32) return;  // one thread a texel from here on
    g = kNothing;
    for (int k = 0; k < 8 && found != 0u; ++k) {
        vec4 sum = sums[k * kPitch + t];
        g.sum += sum.xyz;
        g.atCentre += sum.w;
        g.weight += weights[k * kPitch + t].xyz;
    }
    store(first + texelAt(t), g);
}
