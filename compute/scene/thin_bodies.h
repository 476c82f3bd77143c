// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

namespace wisp {

/// Thickness below which more than 1 % of the smoke before a wall passes through it [cells], unless the wall closes faces of cells.
/// Measured: see "smoke that passes through thin bodies" in docs/performance_log.md.
float leakingCells(const Settings& settings, const ObstacleSettings& obstacle);
/// Whether nothing in the scene moves it.
bool rests(const ObstacleSettings& obstacle);
/// Thickness of a body that may be a wall for smoke [m]: infinite for a sphere, and for a mesh, see isThin. In a flat grid a box that is
/// not turned out of the plane has no thickness along z.
float thicknessOf(const Settings& settings, const ObstacleSettings& obstacle);

}  // namespace wisp
