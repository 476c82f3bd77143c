// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh.h"
#include "shaders/shared/mesh.h"

#include <vector>

namespace wisp {

/// Bounding volume hierarchy over a mesh's triangles, split at the median. Node 0 is the root.
struct MeshTree {
    std::vector<gpu::MeshNode> nodes;
    std::vector<gpu::MeshTriangle> triangles;  ///< in the leaves' order
    std::vector<std::uint32_t> order;          ///< indices of these triangles in the mesh
};

/// The tree of the mesh, moved by -`origin` and then scaled.
MeshTree buildMeshTree(const Mesh& mesh, glm::dvec3 origin, double scale);

/// The triangles of a pose of the mesh in the tree's order, moved by -`origin` and then scaled.
std::vector<gpu::MeshTriangle> trianglesOfPose(const MeshTree& tree, const Mesh& mesh, const std::vector<glm::vec3>& positions,
                                               glm::dvec3 origin, double scale);
/// Replaces the triangles by those of another pose of the same mesh, and fits the boxes of all nodes to them.
void refit(MeshTree& tree, std::vector<gpu::MeshTriangle> triangles);

/// Largest number of nodes of a tree. A leaf holds at least two triangles, unless there is only one.
constexpr std::size_t maxMeshNodes(std::size_t triangles) { return triangles > 1 ? triangles : 1; }

/// An intersection of a ray with the surface.
struct MeshHit {
    double distance = 0.0;  ///< in lengths of the ray's direction
    bool leaves = false;    ///< the ray hits the back of a triangle
};

/// All intersections, unordered. A ray that hits an edge exactly may find both of its triangles, or none.
std::vector<MeshHit> meshHits(const MeshTree& tree, glm::dvec3 from, glm::dvec3 direction);

}  // namespace wisp
