// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

namespace wisp::app {

/// The place [m] next to this one that a hand may bring things to.
glm::vec3 keptInWorld(glm::vec3 place);

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

}  // namespace wisp::app
