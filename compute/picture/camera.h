// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/view.h"

namespace wisp {

/// A camera by its rays: forward + x right + y up for x, y from -1 to 1, left to right and bottom to top.
struct CameraFrame {
    glm::vec3 eye{0.0f};      ///< [m]
    glm::vec3 forward{0.0f};  ///< unit
    glm::vec3 right{0.0f};    ///< half the width of the picture at distance 1, perpendicular to `forward`
    glm::vec3 up{0.0f};       ///< half the height
};
void setCamera(gpu::ViewData& v, const CameraFrame& frame);

/// Sets origin and directions of the rays through the picture's pixels.
void setCamera(gpu::ViewData& v, const CameraSettings& camera, glm::uvec2 pixels);

}  // namespace wisp
