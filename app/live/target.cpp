// SPDX-License-Identifier: MIT
#include "app/live/target.h"

#include "app/live/follower.h"
#include "compute/scene/motion.h"

#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wisp::app {
namespace {

glm::vec3 clampNear(const GridSettings& grid, glm::vec3 position) {
    const float farthest = farthestTarget(grid);
    return clampToWorld(glm::clamp(position, -farthest, farthest));
}

}  // namespace

void Target::move(glm::vec3 position, double time, std::optional<std::size_t> along) {
    position = clampNear(settings_.grid, position);
    std::vector<PathKey>& keys = settings_.follow.keys;
    if (keys != written_) before_ = keys;
    displacement_ += position - targetPosition(settings_.follow, time);
    shiftCamera(position - keys.front().centre);
    keys = written_ = {{.t = 0.0f, .centre = position}};
    if (along) settings_.obstacles.at(*along).keys = keys;
}

bool Target::restorePath() {
    if (written_.empty() || settings_.follow.keys != written_) return false;
    shiftCamera(before_.front().centre - written_.front().centre);
    for (ObstacleSettings& o : settings_.obstacles)
        if (o.keys == written_) o.keys = before_;
    settings_.follow.keys = before_;
    written_.clear();
    return true;
}

glm::vec3 Target::takeDisplacement() { return std::exchange(displacement_, glm::vec3(0.0f)); }

void Target::shiftCamera(glm::vec3 displacement) {
    if (!settings_.camera.follows) return;
    settings_.camera.eye += displacement;
    settings_.camera.target += displacement;
    shifted_ = true;
}

float targetRadius(const GridSettings& grid) { return std::max(0.5f * grid.cellSize(), 0.05f * std::min(grid.size.x, grid.size.y)); }

/// The limit for obstacles suits boxes of 1 m. Scaled by the box edge, a larger box is dragged at the same speed on the screen and over the
/// same number of cells per step.
float targetSpeed(const GridSettings& grid) { return Follower::kMaxDragSpeed * std::max({1.0f, grid.size.x, grid.size.y, grid.size.z}); }

std::optional<std::size_t> obstacleOnTarget(const Settings& s) {
    if (s.follow.keys.empty()) return std::nullopt;
    const auto found = std::find_if(s.obstacles.begin(), s.obstacles.end(),
                                    [&](const ObstacleSettings& o) { return o.keys == s.follow.keys; });
    return found == s.obstacles.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - s.obstacles.begin()));
}

std::optional<glm::vec3> onTargetLevel(const Settings& s, double time, const Ray& ray) {
    if (s.follow.keys.empty()) return std::nullopt;
    const std::optional<float> t = meetPlane(ray, targetPosition(s.follow, time),
                                             s.grid.isFlat() ? glm::vec3(0, 0, 1) : glm::vec3(0, 1, 0));
    if (!t) return std::nullopt;
    const glm::vec3 position = ray.origin + *t * ray.direction;
    return position == clampNear(s.grid, position) ? std::optional(position) : std::nullopt;
}

glm::vec3 FollowCamera::step(std::optional<glm::vec3> position, glm::vec3 byHand, bool held, float elapsed) {
    const std::optional<glm::vec3> before = std::exchange(position_, position);
    if (!position || !before) {
        behind_ = glm::vec3(0.0f);
        return behind_;
    }
    glm::vec3 motion = *position - *before - byHand;
    behind_ += byHand;
    if (held) return motion;
    const glm::vec3 part = behind_ * (1.0f - std::exp(-elapsed / kTime));
    behind_ -= part;
    return motion + part;
}

}  // namespace wisp::app
