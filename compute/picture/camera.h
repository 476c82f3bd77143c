// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/view.h"

namespace wisp {

/// Sets origin and directions of the rays through the picture's pixels.
void setCamera(gpu::ViewData& v, const CameraSettings& camera, glm::uvec2 pixels);

}  // namespace wisp
