// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/step.h"

#include <vector>

namespace wisp {

/// The distance grid of one mesh: `size` voxels around the middle of its bounding box. Lengths are in the mesh's unit.
struct MeshGrid {
    glm::uvec3 size{1};
    std::uint32_t slice = 0;  ///< first z index in the image of all grids
    double voxel = 1.0;       ///< edge of a voxel
    double finest = 1.0;      ///< smallest edge of a voxel, of all poses of a mesh that deforms
    glm::dvec3 middle{0.0};   ///< of the mesh's bounding box
    glm::dvec3 offset{0.0};   ///< of a mesh that deforms: of this middle from that at the start of the motion
    [[nodiscard]] glm::dvec3 corner() const { return middle - 0.5 * voxel * glm::dvec3(size); }
};

/// Largest number of voxels along an edge of a mesh's grid.
inline constexpr std::uint32_t kMaxMeshVoxels = 128;
/// Margin of voxels around the bounding box. Farther out than a cut cell reaches, the distance may be a lower bound.
inline constexpr std::uint32_t kMeshMargin = 2;

/// One voxel per fine cell, at the scale of the largest obstacle or emitter that uses the mesh. Fewer if an edge would exceed
/// kMaxMeshVoxels.
std::vector<MeshGrid> meshGrids(const Settings& settings);

/// Moves the grid of a mesh that deforms to a pose of the mesh. Its voxels become larger if the pose would not fit in.
void follow(MeshGrid& grid, const Mesh& mesh, const std::vector<glm::vec3>& pose);

/// Completes the data of a shape that is a mesh: its rotation and the position of its centre must be set. This is where the middle of the
/// bounding box at the start of a motion is; data.centre becomes that of the grid.
void placeMesh(const MeshGrid& grid, float scale, gpu::ShapeData& data);

}  // namespace wisp
