#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
#include "shared/liquid/to_grid.glsl"
// Like liquid_to_grid, with eight threads per texel, two along each axis. They read eight consecutive particles at once. Threads of eight
// texels would read particles of eight cells, each from another cache line, and waiting for them takes most of the time on a GPU. There are
// still no atomics.
const ivec3 kTile = ivec3(4, 4, 2);                  // texels of a group
const int kEdge = kReachBelow + 2;                   // edge of the block of cells that a texel visits
const ivec3 kStored = kTile + kEdge - ivec3(0, 1, 1);  // cells that the tile visits, and one more at the end of each row
shared uint firsts[8 * 7 * 5];  // first particles of these cells
shared uint found;              // 0: none of them contains any
const int kPitch = 33;          // between threads of a texel: with 32 they would share a bank
shared vec4 sums[8 * kPitch], weights[8 * kPitch];

ivec3 texelAt(int n) { return ivec3(n % kTile.x, (n / kTile.x) % kTile.y, n / (kTile.x * kTile.y)); }

void fillFirsts(ivec3 first) {
    bool any = false;
    for (uint n = gl_LocalInvocationIndex; n < kStored.x * kStored.y * kStored.z; n += 256u) {
        ivec3 c = first + ivec3(n % kStored.x, (n / kStored.x) % kStored.y, n / (kStored.x * kStored.y)), cells = stepData.cells;
        bool isRow = all(lessThan(c.yz, cells.yz)) && all(greaterThanEqual(c.yz, ivec2(0)));
        uint index = isRow ? cellIndex(ivec3(clamp(c.x, 0, cells.x), c.yz), cells) : 0u;
        firsts[n] = isRow ? cellFirst[index] : 0u;
        any = any || (isRow && c.x >= 0 && c.x < cells.x && cellFirst[index + 1u] > cellFirst[index]);
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
    if (t >= 32) return;  // one thread per texel from here on
    g = kNothing;
    for (int k = 0; k < 8 && found != 0u; ++k) {
        vec4 sum = sums[k * kPitch + t];
        g.sum += sum.xyz;
        g.atCentre += sum.w;
        g.weight += weights[k * kPitch + t].xyz;
    }
    store(first + texelAt(t), g);
}
