// SPDX-License-Identifier: MIT
#include "compute/picture/plane_plot.h"

#include <algorithm>

namespace wisp {

PlanePlot planePlot(const Settings& s) {
    const glm::vec2 pixels(s.render.size);
    const CameraSettings camera = s.camera.height > 0.0f ? s.camera : planeCamera(s.grid, pixels.x / pixels.y);
    const float pixel = camera.height / pixels.y;
    return {.corner = glm::vec2(camera.target) + 0.5f * pixel * glm::vec2(-pixels.x, pixels.y), .pixel = pixel};
}

CameraSettings planeCamera(const GridSettings& grid, float aspect) {
    const glm::vec3 middle = grid.origin + 0.5f * grid.size;
    return {.eye = middle + glm::vec3(0.0f, 0.0f, 1.0f), .target = middle, .height = std::max(grid.size.y, grid.size.x / aspect)};
}

}  // namespace wisp
