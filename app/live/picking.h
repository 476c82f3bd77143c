// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/ray.h"
#include "compute/scene/settings.h"

#include <optional>

namespace wisp::app {

/// An object of the scene that can be dragged: an obstacle, an emitter, or the target that the box follows.
struct ObjectRef {
    enum class Kind { Obstacle, Emitter, Target };
    Kind kind = Kind::Obstacle;
    std::size_t index = 0;
    bool operator==(const ObjectRef&) const = default;
};

/// Radius of a bounding sphere [m].
float radiusOf(const Shape& shape);
/// Centre at `time`. Obstacles, emitters and the target move along their paths until the user drags them.
glm::vec3 centreOf(const Settings& settings, const ObjectRef& grip, double time);
Shape shapeOf(const Settings& settings, const ObjectRef& grip);  ///< of the target: its pick sphere

/// The object that a ray hits.
struct PickHit {
    ObjectRef grip;
    float distance = 0.0f;  ///< along the ray [m]
};
/// The first object along a ray. Meshes are tested by their bounding box. An obstacle inside an emitter or the target is picked first.
std::optional<PickHit> touch(const Settings& settings, double time, const Ray& ray);
/// The target, even if other objects are in front of it.
std::optional<PickHit> pickTarget(const Settings& settings, double time, const Ray& ray);

/// A drag of one object: the mouse moves it along one axis, or in the plane perpendicular to the view through the grabbed point.
class Drag {
public:
    enum class Axis { Plane, X, Y, Z };

    Drag(const ObjectRef& grip, glm::vec3 centre, const Ray& ray, float distance, glm::vec3 viewDirection);

    [[nodiscard]] const ObjectRef& grip() const { return grip_; }
    /// Goal of the object's centre for the ray under the mouse.
    glm::vec3 target(const Ray& ray, Axis axis);
    /// Moves the object away from the viewer, along the ray [m].
    void push(const Ray& ray, float metres);

private:
    ObjectRef grip_;
    glm::vec3 grabbed_, offset_, normal_;  // grabbed point; centre relative to it; normal of the plane
};

}  // namespace wisp::app
