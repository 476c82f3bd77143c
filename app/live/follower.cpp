// SPDX-License-Identifier: MIT
#include "app/live/follower.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <cmath>

namespace wisp::app {
namespace {

// [m] from the origin. Below the limit of 1e6 for coordinates in a scene, so that a camera beside the target is within the limit too.
constexpr float kWorld = 9e5f;

}  // namespace

glm::vec3 clampToWorld(glm::vec3 position) { return glm::clamp(position, -kWorld, kWorld); }

glm::vec3 Follower::step(glm::vec3 target, float dt) {
    glm::vec3 motion = (target - position_) * (1.0f - std::exp(-dt / kDragTime));
    const float length = glm::length(motion), most = most_ * dt;
    capped_ = length > most;
    if (capped_) motion *= most / length;
    return position_ += motion;
}

}  // namespace wisp::app
