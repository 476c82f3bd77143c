// SPDX-License-Identifier: MIT
#pragma once

#include "engine/members.h"
#include "shaders/shared/ambient_flow.h"

namespace wisp {

/// Push constants of scroll_faces.comp.
struct ScrollFacesPush {
    glm::ivec3 shift;  ///< cells that the box has moved
    gpu::AmbientFlow air;
};
WISP_MEMBERS(ScrollFacesPush, shift, air)

}  // namespace wisp
