// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/step.h"

#include <vector>

namespace wisp {

/// The distance grid of one mesh: `size` voxels around the middle of its bounding box.
struct MeshGrid {
    glm::uvec3 size{1};
    std::uint32_t slice = 0;  ///< first z index in the image of all grids
    double voxel = 1.0;       ///< edge of a voxel, in the mesh's unit
};

/// Largest number of voxels along an edge of a mesh's grid.
inline constexpr std::uint32_t kMaxMeshVoxels = 128;
/// Margin of voxels around the bounding box. Farther out than a cut cell reaches, the distance may be a lower bound.
inline constexpr std::uint32_t kMeshMargin = 2;

/// One voxel per fine cell, at the scale of the largest obstacle or emitter that uses the mesh. Fewer if an edge would exceed
/// kMaxMeshVoxels.
std::vector<MeshGrid> meshGrids(const Settings& settings);

/// Completes the data of a shape that is a mesh.
void placeMesh(const MeshGrid& grid, float scale, gpu::ShapeData& data);

}  // namespace wisp
