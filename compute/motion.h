// SPDX-License-Identifier: MIT
#pragma once

#include "compute/settings.h"
#include "shaders/shared/step.h"

#include <glm/ext/vector_int3_sized.hpp>

#include <optional>

namespace wisp {

/// Centre [m] of an obstacle at time t [s]: its keyed path, or its start moved along its velocity.
glm::vec3 obstacleCentre(const ObstacleSettings& obstacle, double t);

/// Cells (multiples of grid.pressureRatio) that a box has gone from `home`, its low corner at first, when it follows a target to its place at time t [s], or to
/// `hand` if not null.
glm::i64vec3 cellsFollowed(const Settings& settings, glm::vec3 home, double t, const glm::vec3* hand = nullptr);

/// Whether it is anywhere else at another time.
bool moves(const ObstacleSettings& obstacle);

/// A straight way of an obstacle's centre within a step [m].
struct Way {
    glm::vec3 from{0.0f}, to{0.0f};
};

/// The part of a stroke in a step from t to t + dt [s]; none where it has no length.
std::optional<Way> strokeDuring(const StrokeSettings& stroke, double t, double dt);

/// The obstacle at the end of a step from t to t + dt [s]; dt = 0: as it is at t. Its velocity is the displacement over dt, so
/// that what the fluid feels is exactly what the surface does. `hand`: where its centre moves instead, if not null.
gpu::ObstacleData obstacleData(const ObstacleSettings& obstacle, const GridSettings& grid, double t, double dt, const Way* hand = nullptr);

/// Sweeps an obstacle whose shape is complete over its step of dt [s]: if any of its points moves by more than a cell (of edge h [m]) in it, the obstacle is solid over all places from the end
/// back to one cell short of the start: it cannot jump over smoke, the places of consecutive steps leave no gap that a
/// cell's centre fits in, and slower obstacles are no longer than they are.
void sweep(gpu::ObstacleData& obstacle, double dt, double h);

}  // namespace wisp
