// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/step.h"

#include <glm/ext/vector_int3_sized.hpp>

#include <optional>

namespace wisp {

/// Centre [m] of an obstacle at time t [s]: its keyed path, or its start moved along its velocity.
glm::vec3 obstacleCentre(const ObstacleSettings& obstacle, double t);

/// So far from the origin [m], along each axis, a target may be: in a box around it floats still know a sixteenth of a cell, so that bodies
/// keep their places among cells.
float farthestTarget(const GridSettings& grid);

/// Where the target [m] of a box is at time t [s]. There must be keys.
glm::vec3 targetPlace(const FollowSettings& follow, double t);

/// The camera at time t [s]: on its keyed path, and with the target if it follows that.
CameraSettings cameraAt(const Settings& settings, double t);

/// Cells (multiples of grid.pressureRatio) that a box is from `home`, its low corner without a target, when its middle is next to where the
/// target is at time t [s]. Walls and the ground stay where they are: the box does not go across them.
glm::i64vec3 cellsFollowed(const Settings& settings, glm::vec3 home, double t);

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

/// Sweeps an obstacle whose shape is complete over its step of dt [s]: if any of its points moves by more than a cell (of edge h [m]) in
/// it, the obstacle is solid over all places from the end back to one cell short of the start: it cannot jump over smoke, the places of
/// consecutive steps leave no gap that a cell's centre fits in, and slower obstacles are no longer than they are.
void sweep(gpu::ObstacleData& obstacle, double dt, double h);

}  // namespace wisp
