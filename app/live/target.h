// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/ray.h"
#include "compute/scene/settings.h"

#include <optional>
#include <utility>
#include <vector>

namespace wisp::app {

/// The user's changes of the target that the box follows. An obstacle with the same keys as the target is attached to it and moves with it.
class Target {
public:
    explicit Target(Settings& settings) : settings_(settings) {}

    /// Moves the target, and the obstacle `along`, to `place` [m] and replaces their paths. The scene camera, if it follows the target, is
    /// shifted as well, because its values are relative to the first position of the target.
    void move(glm::vec3 position, double time, std::optional<std::size_t> along);
    /// Restores the path of the target, and of obstacles that were moved along, from before the user moved it. Returns false, and does
    /// nothing, if the user has not moved the target or its keys were changed since.
    bool restorePath();
    void forget() { written_.clear(); }  ///< call when another scene is opened
    /// Displacement of the target by the user since the last call [m].
    glm::vec3 takeDisplacement();
    /// Whether the scene's camera was shifted since the last call.
    bool takeShift() { return std::exchange(shifted_, false); }

private:
    void shiftCamera(glm::vec3 displacement);
    Settings& settings_;
    std::vector<PathKey> before_, written_;  ///< keys before the user moved the target; keys that move() has written
    glm::vec3 displacement_{0.0f};
    bool shifted_ = false;
};

/// Radius of the ring by which the target is dragged [m].
float targetRadius(const GridSettings& grid);
/// Speed limit for dragging the target and an attached obstacle [m/s].
float targetSpeed(const GridSettings& grid);
/// The first obstacle that is attached to the target.
std::optional<std::size_t> obstacleOnTarget(const Settings& settings);
/// Intersection of a ray with the horizontal plane through the target (flat grid: the plane of the grid). None if the target may not be
/// moved there.
std::optional<glm::vec3> onTargetLevel(const Settings& settings, double time, const Ray& ray);

/// Motion of a camera that follows a target. Motion of the target along its path is followed at once. Motion by the user is followed
/// smoothly, and only after the release: otherwise the dragged target would run away from the mouse.
class FollowCamera {
public:
    static constexpr float kTime = 0.25f;  ///< [s] time constant: 63 % of the distance

    /// Displacement of the camera in this frame [m]. `place`: current position of the target, none if the camera does not follow it.
    /// `byHand`: displacement of the target by the user since the last frame. `held`: the user drags the target. `elapsed`: [s].
    glm::vec3 step(std::optional<glm::vec3> position, glm::vec3 byHand, bool held, float elapsed);
    [[nodiscard]] glm::vec3 behind() const { return behind_; }  ///< displacement that the camera still has to make up [m]

private:
    std::optional<glm::vec3> position_;  ///< of the previous frame
    glm::vec3 behind_{0.0f};
};

}  // namespace wisp::app
