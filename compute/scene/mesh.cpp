// SPDX-License-Identifier: MIT
#include "compute/scene/mesh.h"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace wisp {
namespace {

// False for NaN.
bool isInRange(const glm::vec3& p) {
    return std::abs(p.x) <= kMaxMeshCoordinate && std::abs(p.y) <= kMaxMeshCoordinate && std::abs(p.z) <= kMaxMeshCoordinate;
}

}  // namespace

MeshBounds boundsOf(const Mesh& mesh) { return boundsOf(mesh, mesh.positions); }

MeshBounds boundsOf(const Mesh& mesh, const std::vector<glm::vec3>& positions) {
    if (mesh.triangles.empty()) return {};
    MeshBounds b{positions[mesh.triangles[0].x], positions[mesh.triangles[0].x]};
    for (const glm::uvec3& t : mesh.triangles) {
        for (int n = 0; n < 3; ++n) {
            b.low = glm::min(b.low, positions[t[n]]);
            b.high = glm::max(b.high, positions[t[n]]);
        }
    }
    return b;
}

std::vector<std::uint32_t> positionIndices(const Mesh& mesh) {
    std::vector<std::uint32_t> order(mesh.positions.size()), index(mesh.positions.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](std::uint32_t i) {
        const glm::vec3& p = mesh.positions[i];
        return std::tuple(p.x, p.y, p.z);
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    std::uint32_t last = 0;
    for (std::size_t n = 0; n < order.size(); ++n) {
        if (n > 0 && key(order[n]) != key(order[n - 1])) ++last;
        index[order[n]] = last;
    }
    return index;
}

std::string meshProblem(const Mesh& mesh) {
    if (mesh.triangles.empty()) return "has no triangles";
    if (mesh.triangles.size() > kMaxMeshTriangles)
        return fmt::format("has {} triangles, at most {} are allowed", mesh.triangles.size(), kMaxMeshTriangles);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        for (int n = 0; n < 3; ++n) {
            if (mesh.triangles[i][n] >= mesh.positions.size())
                return fmt::format("triangle {} has vertex {}, but there are only {} vertices", i, mesh.triangles[i][n],
                                   mesh.positions.size());
        }
    }
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const glm::vec3& p = mesh.positions[i];
        if (!isInRange(p))
            return fmt::format("vertex {} is at [{}, {}, {}], each must be from {} to {}", i, p.x, p.y, p.z, -kMaxMeshCoordinate,
                               kMaxMeshCoordinate);
    }
    const glm::dvec3 size = boundsOf(mesh).size();
    for (int axis = 0; axis < 3; ++axis) {
        if (!(size[axis] > 0.0)) return fmt::format("has no extent along {}: a solid needs a volume", "xyz"[axis]);
    }
    return {};
}

}  // namespace wisp
