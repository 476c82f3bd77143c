// SPDX-License-Identifier: MIT
#include "app/live/dragged_object.h"

#include <glm/geometric.hpp>

namespace wisp::app {

void DraggedObject::move(const Ray& ray, Drag::Axis axis) {
    if (!released_) target_ = clampToWorld(drag_.target(ray, axis));
}

void DraggedObject::push(const Ray& ray, Drag::Axis axis, float metres) {
    if (released_) return;
    drag_.push(ray, metres);
    target_ = clampToWorld(drag_.target(ray, axis));
}

MotionSegment DraggedObject::step(float dt) {
    const glm::vec3 from = follower_.position();
    if (released_) rest_ += dt;
    return {from, follower_.step(target_, dt)};
}

bool DraggedObject::done(float near) const {
    return released_ && (glm::distance(follower_.position(), target_) <= near || rest_ >= kMaxRest);
}

}  // namespace wisp::app
