// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

namespace wisp {

/// Position of a picture on the plane of a flat grid, seen by an orthographic camera. With camera.height = 0 it shows the whole grid.
struct PlanePlot {
    glm::vec2 corner{0.0f};  ///< position of the picture's top left corner [m]
    float pixel = 0.0f;      ///< edge of a pixel [m]
};
PlanePlot planePlot(const Settings& settings);

/// A camera that shows the whole flat grid in a picture with the aspect ratio `aspect` (width over height).
CameraSettings planeCamera(const GridSettings& grid, float aspect);

}  // namespace wisp
