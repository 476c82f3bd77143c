#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/liquid/to_grid.glsl"
// The thread of a texel gathers particles in the order of cells: no atomics, and the same sum in every run.
void main() {
    ivec3 c = cell(), cells = stepData.cells;
    if (outside(c, cells + 1)) return;
    Gathered g = kNothing;
    ivec3 low = max(c - kReachBelow, ivec3(0)), high = min(c + 1, cells - 1);
    for (int z = low.z; z <= high.z; ++z) {
        for (int y = low.y; y <= high.y; ++y) {
            uint row = cellIndex(ivec3(0, y, z), cells), end = cellFirst[row + uint(high.x) + 1u];
            for (uint n = cellFirst[row + uint(low.x)]; n < end; ++n) gather(g, c, n);
        }
    }
    store(c, g);
}
