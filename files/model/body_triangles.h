// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

namespace wisp {

/// Triangles of a body around its centre, counter-clockwise seen from outside. One normal per position; none for a mesh, which is flat
/// between its edges.
struct BodyTriangles {
    std::vector<glm::vec3> positions;  ///< [m]
    std::vector<glm::vec3> normals;
    std::vector<glm::uvec3> triangles;
};

/// Quadrilaterals around the axis of a sphere or a capsule, and between its poles.
inline constexpr std::uint32_t kRoundSides = 64, kRoundRings = 32;

/// Vertices lie on the surface. Between them, triangles of a sphere or a capsule are inside it by at most 2 (1 - cos(pi / 64)) radii.
BodyTriangles trianglesOf(const Shape& shape, const std::vector<std::shared_ptr<const Mesh>>& meshes);

}  // namespace wisp
