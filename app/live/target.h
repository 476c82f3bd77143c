// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/ray.h"
#include "compute/scene/settings.h"

#include <optional>
#include <utility>
#include <vector>

namespace wisp::app {

/// What a hand does to the target that a box follows. An obstacle whose keys are those of the target is on it, and goes where it goes.
class Target {
public:
    explicit Target(Settings& settings) : settings_(settings) {}

    /// From now on it is here [m], and what is `along` with it. A camera that goes with it keeps its place beside it: its keys are of the
    /// target's first place.
    void move(glm::vec3 place, double time, std::optional<std::size_t> along);
    /// Back to the way that it had before a hand moved it, with what was along, unless it has been given another since; returns whether.
    bool giveBack();
    void forget() { written_.clear(); }  ///< in another scene
    /// The way [m] that it was moved since the last call.
    glm::vec3 takeWay();
    /// Whether the scene's camera was shifted since the last call.
    bool takeShift() { return std::exchange(shifted_, false); }

private:
    void shiftCamera(glm::vec3 way);
    Settings& settings_;
    std::vector<PathKey> before_, written_;  ///< by a hand
    glm::vec3 way_{0.0f};
    bool shifted_ = false;
};

/// Of the ring that it is taken by [m].
float targetRadius(const GridSettings& grid);
/// How fast it and what is on it may be dragged [m/s].
float targetSpeed(const GridSettings& grid);
/// The first obstacle that is on it.
std::optional<std::size_t> obstacleOnTarget(const Settings& settings);
/// Where a ray meets the level of the target, of a flat grid its plane: it can jump there. None where a hand may bring nothing.
std::optional<glm::vec3> onTargetLevel(const Settings& settings, double time, const Ray& ray);

/// How a camera goes with a target. What the target does by itself it does at once; after a hand it comes smoothly, and only once the hand
/// is off: else what is dragged would run away from the mouse.
class Chase {
public:
    static constexpr float kTime = 0.25f;  ///< [s] in which two thirds of the way are made up

    /// The way [m] that the camera goes in a picture's time: the target is at `place` now (if it is to be gone with at all), `byHand` of
    /// its way a hand has moved it.
    glm::vec3 step(std::optional<glm::vec3> place, glm::vec3 byHand, bool held, float elapsed);
    [[nodiscard]] glm::vec3 behind() const { return behind_; }  ///< [m] that the camera has still to go

private:
    std::optional<glm::vec3> place_;  ///< of the picture before
    glm::vec3 behind_{0.0f};
};

}  // namespace wisp::app
