// SPDX-License-Identifier: MIT
#pragma once

#include "engine/members.h"

namespace wisp {

/// Push constants of obstacles.comp.
struct ObstaclesPush {
    glm::ivec3 first;                  ///< texel of the first thread
    glm::ivec3 firstFaces, facesSize;  ///< box of the texels whose faces are written; the pass writes the distances of all its threads
};
WISP_MEMBERS(ObstaclesPush, first, firstFaces, facesSize)

/// Push constants of slot_margins.comp.
struct SlotMarginsPush {
    glm::ivec3 size;
    int isSmoke;
};
WISP_MEMBERS(SlotMarginsPush, size, isSmoke)

/// Push constants of blank_slots.comp.
struct BlankSlotsPush {
    int edge, hasDistance;
};
WISP_MEMBERS(BlankSlotsPush, edge, hasDistance)

}  // namespace wisp
