// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh.h"
#include "shaders/shared/mesh.h"

#include <vector>

namespace wisp {

/// Boxes over a mesh's triangles, split at the median; node 0 is the root.
struct MeshTree {
    std::vector<gpu::MeshNode> nodes;
    std::vector<gpu::MeshTriangle> triangles;  ///< in the leaves' order
};

/// The tree of the mesh moved by -`origin` and then scaled.
MeshTree buildMeshTree(const Mesh& mesh, glm::dvec3 origin, double scale);

/// Nodes that the tree of so many triangles has at most: a leaf holds at least two, unless there is only one.
constexpr std::size_t maxMeshNodes(std::size_t triangles) { return triangles > 1 ? triangles : 1; }

/// A place where a ray meets the surface, `distance` times its direction's length away.
struct MeshHit {
    double distance = 0.0;
    bool leaves = false;  ///< through a triangle's back
};

/// Every place, in no order. A ray that meets an edge exactly may find both triangles there, or none.
std::vector<MeshHit> meshHits(const MeshTree& tree, glm::dvec3 from, glm::dvec3 direction);

}  // namespace wisp
