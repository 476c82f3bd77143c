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
        for (const ObstacleSettings& o : s.obstacles) {
            if (o.shape.kind == ShapeKind::Mesh && o.shape.mesh == m) scale = std::max(scale, static_cast<double>(o.shape.scale));
        }
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

}  // namespace wisp
