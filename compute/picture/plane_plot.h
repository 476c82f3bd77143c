// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

namespace wisp {

/// Where a picture lies on the plane of a flat grid, seen by an orthographic camera; with a camera.height of 0 it shows all.
struct PlanePlot {
    glm::vec2 corner{0.0f};  ///< what its top left corner shows [m]
    float pixel = 0.0f;      ///< edge of a pixel [m]
};
PlanePlot planePlot(const Settings& settings);

/// A camera that shows all of a flat grid in a picture of that aspect (width over height).
CameraSettings planeCamera(const GridSettings& grid, float aspect);

}  // namespace wisp
