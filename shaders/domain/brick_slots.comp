#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
layout(local_size_x = 1) in;
#include "shared/grid.glsl"
// Between two lists: the slots that bricks took are not free any more, those that they left are. Nothing is wanted yet.
layout(binding = 1, scalar) buffer Free { FreeSlots freeSlots; };

void main() {
    freeSlots.flowFirst = (freeSlots.flowFirst + brickList.taken) % freeSlots.flowSlots;
    freeSlots.flowFree += brickList.left - brickList.taken;
    freeSlots.smokeFirst = (freeSlots.smokeFirst + brickList.opened) % freeSlots.smokeSlots;
    freeSlots.smokeFree += brickList.closing - brickList.opened;
    for (int rank = 0; rank < WISP_RANKS; ++rank) freeSlots.flowWanted[rank] = freeSlots.smokeWanted[rank] = 0u;
}
