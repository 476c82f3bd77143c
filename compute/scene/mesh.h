// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace wisp {

/// Bounds memory and time: the tree of so many triangles takes 68 MB on the GPU while a distance grid is built.
inline constexpr std::size_t kMaxMeshTriangles = 1'000'000;

/// A closed surface of triangles, seen counter-clockwise from outside (or all of them from inside). Vertices may be
/// repeated: those at the same place are one.
struct Mesh {
    std::vector<glm::vec3> positions;   ///< in a unit of its own, see Shape::scale
    std::vector<glm::uvec3> triangles;  ///< indices into positions
    std::string file = {};              ///< where it was read; empty: nowhere
    bool operator==(const Mesh&) const = default;
};

struct MeshBounds {
    glm::vec3 low{0.0f}, high{0.0f};
    [[nodiscard]] glm::dvec3 middle() const { return 0.5 * (glm::dvec3(low) + glm::dvec3(high)); }
    [[nodiscard]] glm::dvec3 size() const { return glm::dvec3(high) - glm::dvec3(low); }
};

/// Of the vertices that triangles use; indices must be sound.
MeshBounds boundsOf(const Mesh& mesh);

/// Why the mesh cannot be used at all; empty: it can. How closed it is, and how thin: see mesh_report.h.
std::string meshProblem(const Mesh& mesh);

}  // namespace wisp
