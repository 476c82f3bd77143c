// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

namespace wisp::app {

/// Clamps a position [m] to the region where objects may be dragged to.
glm::vec3 clampToWorld(glm::vec3 position);

/// Smooth, speed-limited motion towards a target. Turns the jumps of the mouse into a continuous motion of the dragged object.
class Follower {
public:
    static constexpr float kMaxDragSpeed = 8.0f;  ///< [m/s], default limit
    static constexpr float kDragTime = 0.06f;     ///< [s] time constant: 63 % of the distance

    explicit Follower(glm::vec3 position, float most = kMaxDragSpeed) : position_(position), most_(most) {}
    /// One step of `dt` seconds towards the target; returns the new position.
    glm::vec3 step(glm::vec3 target, float dt);
    [[nodiscard]] glm::vec3 position() const { return position_; }
    [[nodiscard]] bool capped() const { return capped_; }  ///< the last step reached the speed limit
    [[nodiscard]] float most() const { return most_; }     ///< speed limit [m/s]

private:
    glm::vec3 position_;
    float most_;
    bool capped_ = false;
};

}  // namespace wisp::app
