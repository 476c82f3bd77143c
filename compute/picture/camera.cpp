// SPDX-License-Identifier: MIT
#include "compute/picture/camera.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace wisp {

void setCamera(gpu::ViewData& v, const CameraFrame& frame) {
    v.eye = frame.eye;
    v.forward = frame.forward;
    v.right = frame.right;
    v.up = frame.up;
}

void setCamera(gpu::ViewData& v, const CameraSettings& camera, glm::uvec2 pixels) {
    // In doubles, because eye and target may be very close.
    const glm::vec3 forward = glm::normalize(glm::dvec3(camera.target) - glm::dvec3(camera.eye));
    // Straight up or down, the y axis defines no horizon, so the z axis is used.
    const glm::vec3 vertical = std::abs(forward.y) > 0.9999f ? glm::vec3(0, 0, 1) : glm::vec3(0, 1, 0);
    const glm::vec3 right = glm::normalize(glm::cross(forward, vertical));
    const float halfHeight = std::tan(0.5f * camera.fov);
    v.eye = camera.eye;
    v.forward = forward;
    v.right = right * halfHeight * static_cast<float>(pixels.x) / static_cast<float>(pixels.y);
    v.up = glm::cross(right, forward) * halfHeight;
}

}  // namespace wisp
