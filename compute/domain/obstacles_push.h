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

}  // namespace wisp
