// SPDX-License-Identifier: MIT
#include "app/live/follower.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <cmath>

namespace wisp::app {
namespace {

constexpr float kWorld = 9e5f;  // [m] from the origin: a scene may name places up to 1e6, those of a camera beside a target, too

}  // namespace

glm::vec3 keptInWorld(glm::vec3 place) { return glm::clamp(place, -kWorld, kWorld); }

glm::vec3 Follower::step(glm::vec3 target, float dt) {
    glm::vec3 way = (target - place_) * (1.0f - std::exp(-dt / kDragTime));
    const float length = glm::length(way), most = most_ * dt;
    capped_ = length > most;
    if (capped_) way *= most / length;
    return place_ += way;
}

}  // namespace wisp::app
