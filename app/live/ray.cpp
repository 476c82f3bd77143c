// SPDX-License-Identifier: MIT
#include "app/live/ray.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace wisp::app {

std::optional<float> meetPlane(const Ray& ray, glm::vec3 point, glm::vec3 normal) {
    const float along = glm::dot(ray.direction, normal);
    if (std::abs(along) < 1e-4f) return std::nullopt;
    const float t = glm::dot(point - ray.origin, normal) / along;
    return t > 0.0f ? std::optional(t) : std::nullopt;
}

}  // namespace wisp::app
