// SPDX-License-Identifier: MIT
#pragma once

#include "wisp/simulation.h"

#include <glm/vec3.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace wisp {

inline constexpr std::size_t kMaxSavedStrokes = 4096;  ///< for one step, in a checkpoint

/// How the host moves an obstacle.
struct MovedObstacle {
    glm::vec3 at{0.0f};             ///< centre at the end of the last step [m]
    std::optional<glm::vec3> goal;  ///< centre at the end of the next step [m]; none: it moves with `velocity`
    glm::vec3 velocity{0.0f};       ///< [m/s]
    bool operator==(const MovedObstacle&) const = default;
};

/// What the host has set of an emitter, until a reset.
struct MovedEmitter {
    std::optional<glm::vec3> at, velocity;  ///< centre [m], velocity of the source [m/s]; none: the scene's
    bool operator==(const MovedEmitter&) const = default;
};

/// What the host has set and the scene does not have. Obstacles and emitters by their index in the scene.
struct HostInput {
    std::map<std::size_t, MovedObstacle> obstacles;
    std::map<std::size_t, MovedEmitter> emitters;
    std::optional<glm::vec3> target;   ///< that the box follows [m]
    std::vector<BrushStroke> strokes;  ///< of the next step
};

}  // namespace wisp
