// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/follower.h"
#include "app/live/picking.h"
#include "compute/scene/motion.h"

namespace wisp::app {

/// A dragged object. It follows the mouse smoothly. After the release it moves on to the last mouse position.
class DraggedObject {
public:
    static constexpr float kMaxRest = 1.0f;  ///< [s] simulation time after the release until the drag ends at the latest

    DraggedObject(const Drag& drag, glm::vec3 centre, float mostSpeed = Follower::kMaxDragSpeed)
        : drag_(drag), follower_(centre, mostSpeed), target_(centre) {}

    [[nodiscard]] const ObjectRef& grip() const { return drag_.grip(); }
    [[nodiscard]] glm::vec3 goal() const { return target_; }  ///< position under the mouse, where the object will arrive
    [[nodiscard]] glm::vec3 position() const { return follower_.position(); }
    [[nodiscard]] bool capped() const { return follower_.capped(); }    ///< the last step reached mostSpeed()
    [[nodiscard]] float mostSpeed() const { return follower_.most(); }  ///< [m/s]
    [[nodiscard]] bool released() const { return released_; }

    /// Sets the ray under the mouse.
    void move(const Ray& ray, Drag::Axis axis);
    /// Moves the goal away from the viewer, along the ray under the mouse [m].
    void push(const Ray& ray, Drag::Axis axis, float metres);
    void release() { released_ = true; }

    /// One step of `dt` seconds; returns the motion of the object.
    MotionSegment step(float dt);
    /// Whether the object was released and is within `near` [m] of its goal, or kMaxRest has passed.
    [[nodiscard]] bool done(float near) const;

private:
    Drag drag_;
    Follower follower_;
    glm::vec3 target_;
    bool released_ = false;
    float rest_ = 0.0f;  // [s] since the release
};

}  // namespace wisp::app
