// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace wisp {

/// Limits memory and time: the tree of this many triangles takes 68 MB on the GPU while a distance grid is built.
inline constexpr std::size_t kMaxMeshTriangles = 1'000'000;

/// A closed surface of triangles that are counter-clockwise seen from outside (or all of them seen from inside). Vertices at the same
/// position count as one.
struct Mesh {
    std::vector<glm::vec3> positions;   ///< in the mesh's unit, see Shape::scale
    std::vector<glm::uvec3> triangles;  ///< indices into positions
    std::string file = {};              ///< path of the file that it was read from; empty: none
    bool operator==(const Mesh&) const = default;
};

struct MeshBounds {
    glm::vec3 low{0.0f}, high{0.0f};
    [[nodiscard]] glm::dvec3 middle() const { return 0.5 * (glm::dvec3(low) + glm::dvec3(high)); }
    [[nodiscard]] glm::dvec3 size() const { return glm::dvec3(high) - glm::dvec3(low); }
};

/// Bounds of the vertices that triangles use. Indices must be valid.
MeshBounds boundsOf(const Mesh& mesh);

/// Why the mesh cannot be used; empty if it can. mesh_report.h finds gaps and thin parts.
std::string meshProblem(const Mesh& mesh);

}  // namespace wisp
