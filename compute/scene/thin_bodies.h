// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <cstdint>
#include <vector>

namespace wisp {

/// Smoke may pass through bodies thinner than this [cells]. A cell holds smoke as long as its centre is at most 0.87 cells in a body, on
/// either side, and takes it from cells that are at most sqrt(3) cells from the end of its path: 3.5 cells, and half a cell for the path,
/// which is nearly parallel to a surface.
inline constexpr float kCrossedCells = 4.0f;

/// Thickness of a body that may be a wall for smoke [m]: infinite for a sphere, and for a mesh, see isThin. In a flat grid a box that is
/// not turned out of the plane has no thickness along z.
float thicknessOf(const Settings& settings, const ObstacleSettings& obstacle);
/// Obstacles that may be walls and are thinner than kCrossedCells, or deform. A mesh is, if it is thin behind kThinShare of its surface.
struct CrossedBodies {
    std::uint32_t bits = 0;        ///< bit n: obstacle n is one of them
    std::vector<float> meshScale;  ///< of each obstacle that is a mesh, else 0
    /// Looks at the triangles of a mesh only if its scale has changed. Meshes themselves do not change.
    void update(const Settings& settings);
};

}  // namespace wisp
