// SPDX-License-Identifier: MIT
#pragma once

#include "compute/settings.h"
#include "shaders/shared/step.h"

namespace wisp {

/// Centre [m] of an obstacle at time t [s]: its keyed path, or its start moved along its velocity.
glm::vec3 obstacleCentre(const ObstacleSettings& obstacle, double t);

/// The obstacle at the end of a step from t to t + dt [s]. Its velocity is the displacement over dt, so that what the
/// fluid feels is exactly what the surface does.
gpu::ObstacleData obstacleData(const ObstacleSettings& obstacle, double t, double dt);

}  // namespace wisp
