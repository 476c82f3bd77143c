// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/orbit_camera.h"
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
/// The place [m] next to this one that a hand may bring things to.
glm::vec3 keptInWorld(glm::vec3 place);

/// A hit of a ray.
struct Touch {
    Grip grip;
    float distance = 0.0f;  ///< along the ray [m]
};
/// The first thing on a ray. Meshes count as their bounding box; emitters and the target lie behind obstacles that share their place.
std::optional<Touch> touch(const Settings& settings, double time, const Ray& ray);
/// The target, whatever lies before it.
std::optional<Touch> touchTarget(const Settings& settings, double time, const Ray& ray);

/// Distance from a ray's origin to where it meets the plane through `point` across `normal`; none if it looks away or along it.
std::optional<float> meetPlane(const Ray& ray, glm::vec3 point, glm::vec3 normal);

/// Follows a target smoothly and no faster than is allowed: what a dragged body does between the mouse's jumps.
class Follower {
public:
    static constexpr float kMaxDragSpeed = 8.0f;  ///< [m/s], unless something may go faster
    static constexpr float kDragTime = 0.06f;     ///< [s] in which two thirds of the way are made up

    explicit Follower(glm::vec3 place, float most = kMaxDragSpeed) : place_(place), most_(most) {}
    /// One step of `dt` seconds towards the target; returns the new place.
    glm::vec3 step(glm::vec3 target, float dt);
    [[nodiscard]] glm::vec3 place() const { return place_; }
    [[nodiscard]] bool capped() const { return capped_; }  ///< the last step was held back by `most`
    [[nodiscard]] float most() const { return most_; }     ///< [m/s]

private:
    glm::vec3 place_;
    float most_;
    bool capped_ = false;
};

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
