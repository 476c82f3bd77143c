// SPDX-License-Identifier: MIT
// Axes along which the box is periodic: flow that leaves through one side enters through the other. Without such axes the compiler
// eliminates this code.
#ifndef WISP_PERIODIC_GLSL
#define WISP_PERIODIC_GLSL
layout(constant_id = 7) const int kPeriodic = 0;  // bit mask of the axes

bool isPeriodic(int axis) { return kPeriodic != 0 && (kPeriodic >> axis & 1) != 0; }
bvec3 periodicAxes() { return bvec3((kPeriodic & 1) != 0, (kPeriodic & 2) != 0, (kPeriodic & 4) != 0); }

// Wraps c into a grid of `size` along periodic axes. Along other axes c does not change.
ivec3 wrapped(ivec3 c, ivec3 size) {
    if (kPeriodic == 0) return c;
    return mix(c, ivec3(uvec3(c + 65536 * size) % uvec3(size)), periodicAxes());  // % is undefined for negative numbers
}

// The same without a division, for neighbours of cells, which are at most one period away.
ivec3 wrappedOnce(ivec3 c, ivec3 size) {
    if (kPeriodic == 0) return c;
    return mix(c, c + size * (ivec3(lessThan(c, ivec3(0))) - ivec3(greaterThanEqual(c, size))), periodicAxes());
}

// Like wrapped, but clamped to the grid along other axes.
ivec3 inGrid(ivec3 c, ivec3 size) { return clamp(wrapped(c, size), ivec3(0), size - 1); }
#endif
