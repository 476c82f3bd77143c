// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include <optional>

namespace wisp::app {

/// A ray from the camera through a place in the picture.
struct Ray {
    glm::vec3 origin{0.0f};     ///< [m]
    glm::vec3 direction{0.0f};  ///< unit
};

/// Distance from a ray's origin to where it meets the plane through `point` across `normal`; none if it looks away or along it.
std::optional<float> meetPlane(const Ray& ray, glm::vec3 point, glm::vec3 normal);

}  // namespace wisp::app
