// SPDX-License-Identifier: MIT
#include "compute/domain/mesh_distance.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>

namespace wisp {
namespace {

constexpr std::uint32_t kVoxels = 1u << 18;  // per dispatch, which stays short

std::uint64_t count(glm::uvec3 size) { return std::uint64_t{size.x} * size.y * size.z; }

glm::uvec3 imageSize(const std::vector<MeshGrid>& grids) {
    glm::uvec3 size(1);
    for (const MeshGrid& g : grids) size = {std::max(size.x, g.size.x), std::max(size.y, g.size.y), g.slice + g.size.z};
    return size;
}

double greatestDistance(const std::vector<glm::vec3>& a, const std::vector<glm::vec3>& b) {
    double greatest = 0.0;
    for (std::size_t v = 0; v < a.size(); ++v) greatest = std::max(greatest, glm::distance(glm::dvec3(a[v]), glm::dvec3(b[v])));
    return greatest;
}

}  // namespace

MeshDistance::MeshDistance(engine::Device& device, const Settings& s) : grids_(meshGrids(s)), bodies_(s.meshes.size()) {
    const bool deforms = s.usesDeformation();
    image_ = engine::Image(device, {.name = "mesh distances", .size = imageSize(grids_), .format = VK_FORMAT_R32_SFLOAT});
    velocities_ = engine::Image(
        device, {.name = "mesh velocities", .size = deforms ? image_.size() : glm::uvec3(1), .format = VK_FORMAT_R16G16B16A16_SFLOAT});
    std::uint64_t largest = 0;
    for (std::size_t m = 0; m < s.meshes.size(); ++m) {
        const std::size_t triangles = s.meshes[m]->triangles.size();
        Body& body = bodies_[m];
        body.nodes = engine::Buffer(device, {.name = "mesh nodes", .bytes = maxMeshNodes(triangles) * sizeof(gpu::MeshNode)});
        body.triangles = engine::Buffer(device, {.name = "mesh triangles", .bytes = triangles * sizeof(gpu::MeshTriangle)});
        if (s.meshes[m]->motion)
            body.before = engine::Buffer(device, {.name = "mesh triangles before", .bytes = triangles * sizeof(gpu::MeshTriangle)});
        largest = std::max(largest, count(grids_[m].size));
    }
    if (largest > 0) crossings_ = engine::Buffer(device, {.name = "mesh crossings", .bytes = 3 * largest * sizeof(std::int32_t)});
}

void MeshDistance::build(engine::Recorder& rec, const Settings& s) {
    if (built_) return;
    rec.clear(velocities_, 0.0f);
    if (bodies_.empty()) rec.clear(image_, 0.0f);
    for (std::size_t m = 0; m < bodies_.size(); ++m) {
        Body& body = bodies_[m];
        body.tree = buildMeshTree(*s.meshes[m], grids_[m].corner(), 1.0 / grids_[m].voxel);
        if (s.meshes[m]->motion) continue;
        rec.upload(body.nodes, std::as_bytes(std::span(body.tree.nodes)));
        rec.upload(body.triangles, std::as_bytes(std::span(body.tree.triangles)));
        dispatch(rec, body, grids_[m], 0.0f);
        body = {};
    }
    if (!s.usesDeformation()) crossings_ = {};
    built_ = true;
}

bool MeshDistance::pose(engine::Recorder& rec, const Settings& s, double time, double motion) {
    bool changed = false;
    for (std::size_t m = 0; m < bodies_.size(); ++m)
        if (s.meshes[m]->motion)
            changed |= poseOne(rec, *s.meshes[m], grids_[m], bodies_[m], time, motion, static_cast<double>(s.timeStep));
    return changed;
}

bool MeshDistance::poseOne(engine::Recorder& rec, const Mesh& mesh, MeshGrid& grid, Body& body, double time, double motion, double step) {
    std::vector<glm::vec3> before = !body.posed.empty() && body.time == time ? body.posed : mesh.motion->positions(time);
    std::vector<glm::vec3> now = motion > 0.0 ? mesh.motion->positions(time + motion) : before;
    if (motion == 0.0) {
        const std::vector<glm::vec3> later = mesh.motion->positions(time + step);
        for (std::size_t v = 0; v < before.size(); ++v) before[v] += now[v] - later[v];
    }
    const double span = motion > 0.0 ? motion : step;
    if (now == body.posed && before == body.posedBefore) return false;
    follow(grid, mesh, now);
    body.speed = greatestDistance(before, now) / span;
    body.time = time + motion;
    const auto inVoxels = [&](const std::vector<glm::vec3>& pose) {
        return trianglesOfPose(body.tree, mesh, pose, grid.corner(), 1.0 / grid.voxel);
    };
    const std::vector<gpu::MeshTriangle> trianglesBefore = inVoxels(before);
    rec.upload(body.before, std::as_bytes(std::span(trianglesBefore)));
    refit(body.tree, inVoxels(now));
    rec.upload(body.nodes, std::as_bytes(std::span(body.tree.nodes)));
    rec.upload(body.triangles, std::as_bytes(std::span(body.tree.triangles)));
    dispatch(rec, body, grid, static_cast<float>(1.0 / span));
    body.posed = std::move(now);
    body.posedBefore = std::move(before);
    return true;
}

void MeshDistance::dispatch(engine::Recorder& rec, const Body& body, const MeshGrid& grid, float rate) {
    gpu::MeshPush push{.size = grid.size, .slice = static_cast<int>(grid.slice), .firstSlice = 0, .rate = rate};
    const std::uint32_t longest = std::max({grid.size.x, grid.size.y, grid.size.z});
    rec.dispatch("mesh_crossings", {longest, longest, 3}, {{"nodes", body.nodes}, {"triangles", body.triangles}, {"crossings", crossings_}},
                 push);
    const std::uint32_t slices = kVoxels / (grid.size.x * grid.size.y);  // 16 of the largest grid
    for (std::uint32_t first = 0; first < grid.size.z; first += slices) {
        push.firstSlice = static_cast<int>(first);
        rec.dispatch("mesh_distance", {grid.size.x, grid.size.y, std::min(slices, grid.size.z - first)},
                     {{"nodes", body.nodes},
                      {"triangles", body.triangles},
                      {"trianglesBefore", body.before ? body.before : body.triangles},
                      {"crossings", crossings_},
                      {"distances", image_},
                      {"velocities", velocities_}},
                     push);
    }
}

void MeshDistance::place(const Shape& shape, gpu::ObstacleData& data) const {
    const glm::vec3 centre = data.shape.centre;
    placeMesh(grids_[shape.mesh], shape.scale, data.shape);
    data.velocity += glm::cross(data.angularVelocity, data.shape.centre - centre);  // of the middle of the grid
}

float MeshDistance::speedOf(const Shape& shape) const {
    return shape.kind == ShapeKind::Mesh ? shape.scale * static_cast<float>(bodies_[shape.mesh].speed) : 0.0f;
}

}  // namespace wisp
