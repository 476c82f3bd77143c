// SPDX-License-Identifier: MIT
#pragma once

#include "engine/members.h"
#include "shaders/shared/outside_air.h"

namespace wisp {

/// Push constants of scroll_faces.comp.
struct ScrollFacesPush {
    glm::ivec3 shift;  ///< cells that the box has moved
    gpu::OutsideAir air;
};
WISP_MEMBERS(ScrollFacesPush, shift, air)

}  // namespace wisp
