// SPDX-License-Identifier: MIT
#include "compute/domain/mesh_distance.h"

#include "compute/scene/mesh_tree.h"

#include <algorithm>
#include <cmath>

namespace wisp {
namespace {

constexpr std::uint32_t kSlices = 16;  // per dispatch, which stays short with a quarter of a million voxels

std::uint64_t count(glm::uvec3 size) { return std::uint64_t{size.x} * size.y * size.z; }

glm::uvec3 imageSize(const std::vector<MeshGrid>& grids) {
    glm::uvec3 size(1);
    for (const MeshGrid& g : grids) size = {std::max(size.x, g.size.x), std::max(size.y, g.size.y), g.slice + g.size.z};
    return size;
}

}  // namespace

MeshDistance::MeshDistance(engine::Device& device, const Settings& s) : grids_(meshGrids(s)) {
    image_ = engine::Image(device, {.name = "mesh distances", .size = imageSize(grids_), .format = VK_FORMAT_R32_SFLOAT});
    std::uint64_t largest = 0;
    for (std::size_t m = 0; m < s.meshes.size(); ++m) {
        const std::size_t triangles = s.meshes[m]->triangles.size();
        trees_.push_back({engine::Buffer(device, {.name = "mesh nodes", .bytes = maxMeshNodes(triangles) * sizeof(gpu::MeshNode)}),
                          engine::Buffer(device, {.name = "mesh triangles", .bytes = triangles * sizeof(gpu::MeshTriangle)})});
        largest = std::max(largest, count(grids_[m].size));
    }
    if (largest > 0) crossings_ = engine::Buffer(device, {.name = "mesh crossings", .bytes = 3 * largest * sizeof(std::int32_t)});
}

void MeshDistance::build(engine::Recorder& rec, const Settings& s) {
    if (built_) return;
    if (trees_.empty()) rec.clear(image_, 0.0f);
    for (std::size_t m = 0; m < trees_.size(); ++m) buildOne(rec, *s.meshes[m], grids_[m], trees_[m]);
    trees_.clear();
    crossings_ = {};
    built_ = true;
}

void MeshDistance::buildOne(engine::Recorder& rec, const Mesh& mesh, const MeshGrid& grid, const Tree& tree) {
    // Voxel units, from the low corner of the grid.
    const glm::dvec3 corner = boundsOf(mesh).middle() - 0.5 * grid.voxel * glm::dvec3(grid.size);
    const MeshTree built = buildMeshTree(mesh, corner, 1.0 / grid.voxel);
    rec.upload(tree.nodes, std::as_bytes(std::span(built.nodes)));
    rec.upload(tree.triangles, std::as_bytes(std::span(built.triangles)));
    gpu::MeshPush push{.size = grid.size, .slice = static_cast<int>(grid.slice), .firstSlice = 0};
    const std::uint32_t longest = std::max({grid.size.x, grid.size.y, grid.size.z});
    rec.dispatch("mesh_crossings", {longest, longest, 3}, {{"nodes", tree.nodes}, {"triangles", tree.triangles}, {"crossings", crossings_}},
                 push);
    for (std::uint32_t first = 0; first < grid.size.z; first += kSlices) {
        push.firstSlice = static_cast<int>(first);
        rec.dispatch("mesh_distance", {grid.size.x, grid.size.y, std::min(kSlices, grid.size.z - first)},
                     {{"nodes", tree.nodes}, {"triangles", tree.triangles}, {"crossings", crossings_}, {"distances", image_}}, push);
    }
}

void MeshDistance::place(const Shape& shape, gpu::ShapeData& data) const { placeMesh(grids_[shape.mesh], shape.scale, data); }

}  // namespace wisp
