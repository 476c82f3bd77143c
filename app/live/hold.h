// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/follower.h"
#include "app/live/hand.h"
#include "compute/scene/motion.h"

namespace wisp::app {

/// Something that a hand has taken. It follows the mouse smoothly; once released it goes on to where the mouse was then.
class Hold {
public:
    static constexpr float kMaxRest = 1.0f;  ///< [s] of the simulation after the release, in which it has to arrive

    Hold(const Drag& drag, glm::vec3 centre, float mostSpeed = Follower::kMaxDragSpeed)
        : drag_(drag), follower_(centre, mostSpeed), target_(centre) {}

    [[nodiscard]] const Grip& grip() const { return drag_.grip(); }
    [[nodiscard]] glm::vec3 goal() const { return target_; }  ///< under the mouse, where it comes to be
    [[nodiscard]] glm::vec3 place() const { return follower_.place(); }
    [[nodiscard]] bool capped() const { return follower_.capped(); }    ///< held back by mostSpeed()
    [[nodiscard]] float mostSpeed() const { return follower_.most(); }  ///< [m/s]
    [[nodiscard]] bool released() const { return released_; }

    /// The mouse is on this ray.
    void move(const Ray& ray, Drag::Axis axis);
    /// Away from the viewer by so many metres along the ray under the mouse.
    void push(const Ray& ray, Drag::Axis axis, float metres);
    void release() { released_ = true; }

    /// One step of `dt` seconds: from where to where it goes.
    Way step(float dt);
    /// Released, and within `near` [m] of where it should be, or out of time: it may be put down.
    [[nodiscard]] bool done(float near) const;

private:
    Drag drag_;
    Follower follower_;
    glm::vec3 target_;
    bool released_ = false;
    float rest_ = 0.0f;  // [s] since the release
};

}  // namespace wisp::app
