// SPDX-License-Identifier: MIT
// Needs shared/bricks.h and shared/reach.glsl.
layout(binding = 4, scalar) readonly buffer Reach { float reach[]; };  // see shared/reach.glsl

// The longest backward path in one group of backtrace.comp, which is at least two cells wide. The groups of all of the brick's cells are
// visited. If scalars are finer, paths are interpolated, and the cells before and behind are visited, too. 64 look-ups cover all of them.
float boundingRadius(ivec3 first, int n) {
    ivec3 which = ivec3(n % 4, n / 4 % 4, n / 16), last = sim.cells - 1;
    ivec3 low = first / kScalarRatio, high = min((first + WISP_SMOKE_BRICK - 1) / kScalarRatio, last);
    ivec3 c = min(low + 2 * which, last);
    if (kScalarRatio > 1) c = inGrid(mix(low, high, greaterThan(which, ivec3(1))) + (which + 1) / 2 - 1, sim.cells);
    return reach[reachIndex(c)];
}
