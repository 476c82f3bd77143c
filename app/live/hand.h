// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/ray.h"
#include "compute/scene/settings.h"

#include <optional>

namespace wisp::app {

/// Something of a scene that a hand can take: an obstacle, an emitter, or the target that its box follows.
struct Grip {
    enum class Kind { Obstacle, Emitter, Target };
    Kind kind = Kind::Obstacle;
    std::size_t index = 0;
    bool operator==(const Grip&) const = default;
};

/// Half its extent, at most [m].
float radiusOf(const Shape& shape);
/// Where things are at a time: obstacles and the target move by themselves until they are taken.
glm::vec3 centreOf(const Settings& settings, const Grip& grip, double time);
Shape shapeOf(const Settings& settings, const Grip& grip);  ///< of the target: what it is taken by

/// A hit of a ray.
struct Touch {
    Grip grip;
    float distance = 0.0f;  ///< along the ray [m]
};
/// The first thing on a ray. Meshes count as their bounding box; emitters and the target lie behind obstacles that share their place.
std::optional<Touch> touch(const Settings& settings, double time, const Ray& ray);
/// The target, whatever lies before it.
std::optional<Touch> touchTarget(const Settings& settings, double time, const Ray& ray);

/// A drag of one thing: the mouse moves it in the plane across the view through the point where it was taken, or along one axis.
class Drag {
public:
    enum class Axis { Plane, X, Y, Z };

    Drag(const Grip& grip, glm::vec3 centre, const Ray& ray, float distance, glm::vec3 viewDirection);

    [[nodiscard]] const Grip& grip() const { return grip_; }
    /// Where its centre should be for a ray under the mouse.
    glm::vec3 target(const Ray& ray, Axis axis);
    /// Moves it away from the viewer along the ray's direction by so many metres.
    void push(const Ray& ray, float metres);

private:
    Grip grip_;
    glm::vec3 grabbed_, offset_, normal_;  // the point that was taken; the centre from there; of the plane
};

}  // namespace wisp::app
