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

}  // namespace wisp
