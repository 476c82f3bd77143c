// SPDX-License-Identifier: MIT
#include "compute/scene/mesh_grid.h"

#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>

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
        const MeshBounds bounds = boundsOf(*s.meshes[m]);
        const glm::dvec3 extent = glm::max(bounds.size(), s.meshes[m]->range.extent);
        const double longest = std::max({extent.x, extent.y, extent.z});
        constexpr double kMost = kMaxMeshVoxels - 2 * kMeshMargin;
        const double wanted = scale > 0.0 ? static_cast<double>(s.grid.cellSize()) / scale : longest;
        const double voxel = std::max(wanted, longest / kMost);
        const glm::uvec3 inner = glm::clamp(glm::ceil(extent / voxel), glm::dvec3(1.0), glm::dvec3(kMost));
        grids.push_back({.size = inner + 2u * kMeshMargin, .slice = slice, .voxel = voxel, .finest = voxel, .middle = bounds.middle()});
        slice += grids.back().size.z;
    }
    return grids;
}

void follow(MeshGrid& grid, const Mesh& mesh, const std::vector<glm::vec3>& pose) {
    const MeshBounds bounds = boundsOf(mesh, pose);
    const glm::dvec3 room = bounds.size() / glm::dvec3(grid.size - 2u * kMeshMargin);
    grid.voxel = std::max({grid.finest, room.x, room.y, room.z});
    grid.middle = bounds.middle();
    grid.offset = grid.middle - boundsOf(mesh).middle();
}

void placeMesh(const MeshGrid& grid, float scale, gpu::ShapeData& data) {
    const double voxel = grid.voxel * static_cast<double>(scale);
    if (grid.offset != glm::dvec3(0.0)) {
        const glm::dquat turned(static_cast<double>(data.rotation.w), glm::dvec3(data.rotation));
        data.centre += glm::vec3(turned * (static_cast<double>(scale) * grid.offset));
    }
    data.halfExtent = 0.5 * voxel * glm::dvec3(grid.size);
    data.radius = static_cast<float>(voxel);
    data.slice = static_cast<int>(grid.slice);
}

}  // namespace wisp
