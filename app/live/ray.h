// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include <optional>

namespace wisp::app {

/// A ray from the camera through a point of the image.
struct Ray {
    glm::vec3 origin{0.0f};     ///< [m]
    glm::vec3 direction{0.0f};  ///< unit
};

/// Distance from the origin of a ray to the plane through `point` with this normal; none if the ray is parallel or points away.
std::optional<float> meetPlane(const Ray& ray, glm::vec3 point, glm::vec3 normal);

}  // namespace wisp::app
