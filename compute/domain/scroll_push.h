// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/outside_air.h"

namespace wisp {

/// Push constants of scroll_faces.comp.
struct ScrollFacesPush {
    glm::ivec3 shift;  ///< cells that the box has moved
    gpu::OutsideAir air;
};

}  // namespace wisp
