// SPDX-License-Identifier: MIT
#include "app/live/hold.h"

#include <glm/geometric.hpp>

namespace wisp::app {

void Hold::move(const Ray& ray, Drag::Axis axis) {
    if (!released_) target_ = keptInWorld(drag_.target(ray, axis));
}

void Hold::push(const Ray& ray, Drag::Axis axis, float metres) {
    if (released_) return;
    drag_.push(ray, metres);
    target_ = keptInWorld(drag_.target(ray, axis));
}

Way Hold::step(float dt) {
    const glm::vec3 from = follower_.place();
    if (released_) rest_ += dt;
    return {from, follower_.step(target_, dt)};
}

bool Hold::done(float near) const { return released_ && (glm::distance(follower_.place(), target_) <= near || rest_ >= kMaxRest); }

}  // namespace wisp::app
