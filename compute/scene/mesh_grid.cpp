// SPDX-License-Identifier: MIT
#include "compute/scene/mesh_grid.h"

#include <glm/common.hpp>

#include <algorithm>

namespace wisp {

std::vector<MeshGrid> meshGrids(const Settings& s) {
    std::vector<MeshGrid> grids;
    std::uint32_t slice = 0;
    for (std::size_t m = 0; m < s.meshes.size(); ++m) {
        double scale = 0.0;
        const auto use = [&](const Shape& shape) {
            if (shape.kind == ShapeKind::Mesh && shape.mesh == m) scale = std::max(scale, static_cast<double>(shape.scale));
        };
        for (const ObstacleSettings& o : s.obstacles) use(o.shape);
        for (const EmitterSettings& e : s.emitters) use(e.shape);
        const glm::dvec3 extent = boundsOf(*s.meshes[m]).size();
        const double longest = std::max({extent.x, extent.y, extent.z});
        constexpr double kMost = kMaxMeshVoxels - 2 * kMeshMargin;
        const double wanted = scale > 0.0 ? static_cast<double>(s.grid.cellSize()) / scale : longest;
        const double voxel = std::max(wanted, longest / kMost);
        const glm::uvec3 inner = glm::clamp(glm::ceil(extent / voxel), glm::dvec3(1.0), glm::dvec3(kMost));
        grids.push_back({inner + 2u * kMeshMargin, slice, voxel});
        slice += grids.back().size.z;
    }
    return grids;
}

void placeMesh(const MeshGrid& grid, float scale, gpu::ShapeData& data) {
    const double voxel = grid.voxel * static_cast<double>(scale);
    data.halfExtent = 0.5 * voxel * glm::dvec3(grid.size);
    data.radius = static_cast<float>(voxel);
    data.slice = static_cast<int>(grid.slice);
}

}  // namespace wisp
