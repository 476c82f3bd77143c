// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <vector>

namespace wisp {

/// The distance grid of one mesh: `size` voxels around the middle of its bounding box.
struct MeshGrid {
    glm::uvec3 size{1};
    std::uint32_t slice = 0;  ///< where it begins along z in the image of all grids
    double voxel = 1.0;       ///< edge, in the mesh's unit
};

/// Voxels along an edge of a mesh's grid, at most.
inline constexpr std::uint32_t kMaxMeshVoxels = 128;
/// Voxels around the bounding box: further out than a cut cell reaches, the distance may be a lower bound.
inline constexpr std::uint32_t kMeshMargin = 2;

/// A voxel for every fine cell (of the largest obstacle of a mesh), fewer where that were more than kMaxMeshVoxels.
std::vector<MeshGrid> meshGrids(const Settings& settings);

}  // namespace wisp
