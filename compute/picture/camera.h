// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/view.h"

namespace wisp {

/// Sets where rays through the picture's pixels begin and go.
void setCamera(gpu::ViewData& v, const CameraSettings& camera, glm::uvec2 pixels);

}  // namespace wisp
