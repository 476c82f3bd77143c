// SPDX-License-Identifier: MIT
#include "compute/picture/plane_plot.h"

#include "compute/scene/motion.h"

namespace wisp {

PlanePlot planePlot(const Settings& s) {
    const glm::vec2 pixels(s.render.size);
    const CameraSettings camera = s.camera.height > 0.0f ? s.camera : planeCamera(s.grid, pixels.x / pixels.y);
    const float pixel = camera.height / pixels.y;
    return {.corner = glm::vec2(camera.target) + 0.5f * pixel * glm::vec2(-pixels.x, pixels.y), .pixel = pixel};
}

}  // namespace wisp
