// SPDX-License-Identifier: MIT
// Which pressure cells need no weights: the low bits of words of flags. Needs shared/pressure_level.h.
#include "shared/flat.glsl"
layout(binding = 6, scalar) readonly buffer Regular { uint regular[]; };  // see coarse_aperture.comp

const int kNeighbours = kFlat ? 4 : 6;

// Whether the cell has all neighbours (four in flat grids, six in others) and weights of 1. Most cells do. They need no weights, which are
// half of the traffic.
bool isRegular(PressureLevel l, ivec3 C) {
    int slot = slotOf(l, C.x);
    return (regular[regularIndex(l, slot, C.y, C.z)] >> (slot % WISP_REGULAR_BITS) & 1u) != 0u;
}
