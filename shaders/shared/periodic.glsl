// SPDX-License-Identifier: MIT
// Axes along which the box repeats itself: what leaves through one side comes in through the other. Without any of them all
// of this folds away.
#ifndef WISP_PERIODIC_GLSL
#define WISP_PERIODIC_GLSL
layout(constant_id = 7) const int kPeriodic = 0;  // their bits

bool isPeriodic(int axis) { return kPeriodic != 0 && (kPeriodic >> axis & 1) != 0; }
bvec3 periodicAxes() { return bvec3((kPeriodic & 1) != 0, (kPeriodic & 2) != 0, (kPeriodic & 4) != 0); }

// The cell of a grid of `size` that c is an image of; along other axes c itself.
ivec3 wrapped(ivec3 c, ivec3 size) {
    if (kPeriodic == 0) return c;
    return mix(c, ivec3(uvec3(c + 65536 * size) % uvec3(size)), periodicAxes());  // of negative numbers % is undefined
}

// The same for neighbours of cells, which are one period away at most: without a division.
ivec3 wrappedOnce(ivec3 c, ivec3 size) {
    if (kPeriodic == 0) return c;
    return mix(c, c + size * (ivec3(lessThan(c, ivec3(0))) - ivec3(greaterThanEqual(c, size))), periodicAxes());
}

// As wrapped, and along other axes the nearest cell of the grid.
ivec3 inGrid(ivec3 c, ivec3 size) { return clamp(wrapped(c, size), ivec3(0), size - 1); }
#endif
