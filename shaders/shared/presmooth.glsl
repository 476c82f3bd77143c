// SPDX-License-Identifier: MIT
// Pre-smoothing: the pressure equation of the fine grid, A x / 6 = e. A face has its open fraction as weight, or twice that on an open
// side, where x = 0 on the face. In a sparse simulation cells of active bricks take part.
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
#include "shared/grid.glsl"
#include "shared/vectors.glsl"
layout(binding = 1) uniform sampler3D aperture;
layout(binding = 2, scalar) readonly buffer SmoothFaces { uint smoothFaces[]; };  // see smooth_faces.comp
const float kPerFace = 1.0 / 6.0;  // a division by a constant may be rounded differently in another variant of a shader

bool isInActiveBrick(ivec3 c) { return !kSparse || isActive(c, 1); }
bool takesPart(ivec3 c) { return !outside(c, sim.cells) && isInActiveBrick(c); }

// Whether the cell takes part, no solid is near it, and all cells beside it that exist take part. They are then in its brick.
bool isClear(ivec3 c) {
    if (outside(c, sim.cells)) return false;
    ivec3 C = c >> 1;
    if (kSparse) {
        ivec3 l = c & (WISP_BRICK_EDGE - 1);
        if (any(equal(l, ivec3(0))) || any(equal(l, ivec3(WISP_BRICK_EDGE - 1)))) return false;
    }
    uint bits = smoothFaces[kSparse && kRatio == 4 ? brickPlace(C, WISP_BRICK_EDGE / 2) : cellIndex(C, ((sim.cells + 1) >> 1) + 1)];
    return (bits & 8u) != 0u;
}

// Whether the low side of cell c along an axis is a side of the box where x = 0, and whether its high side is.
bool isOpenBelow(ivec3 c, int axis) { return !isPeriodic(axis) && c[axis] == 0 && sim.sidesLow[axis] == WISP_OPEN; }
bool isOpenAbove(ivec3 c, int axis) { return !isPeriodic(axis) && c[axis] + 1 == sim.cells[axis] && sim.sidesHigh[axis] == WISP_OPEN; }

// Whether texel c is the high face of the last cell along an axis, where x = 0.
bool isOpenBeyond(ivec3 c, int axis) { return !isPeriodic(axis) && c[axis] == sim.cells[axis] && sim.sidesHigh[axis] == WISP_OPEN; }

// Weight of the low face of texel c. On a high side of the box the texel may be in another brick than the cell below.
float weightBelow(ivec3 c, int axis) {
    bool atLow = !isPeriodic(axis) && c[axis] == 0, atHigh = !isPeriodic(axis) && c[axis] == sim.cells[axis];
    if (!atLow && !takesPart(wrappedOnce(c - unit(axis), sim.cells))) return 0.0;
    if (!isInActiveBrick(wrappedOnce(c, sim.cells))) return 0.0;
    float alpha = texelFetch(aperture, texelOf(c), 0)[axis];
    return atLow || atHigh ? 2.0 * alpha : alpha;
}
