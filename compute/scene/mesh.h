// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wisp {

/// Limits memory and time: the tree of this many triangles takes 68 MB on the GPU while a distance grid is built.
inline constexpr std::size_t kMaxMeshTriangles = 1'000'000;
inline constexpr float kMaxMeshCoordinate = 1e9f;  ///< fourth powers stay in the range of a float

/// How the vertices of a mesh that deforms move.
class MeshMotion {
public:
    virtual ~MeshMotion() = default;
    /// Positions of all vertices at t [s] since the start of the simulation, in the mesh's unit.
    [[nodiscard]] virtual std::vector<glm::vec3> positions(double t) const = 0;
};

/// The largest values of a motion at the times that were looked at.
struct MotionRange {
    glm::dvec3 extent{0.0};  ///< edges of the bounding box
    double speed = 0.0;      ///< of a vertex [units/s]
    bool operator==(const MotionRange&) const = default;
};

/// Which file a mesh was read from, and how.
struct MeshSource {
    std::string file = {};          ///< path; of a sequence of poses: with %0Nd
    std::string node = {};          ///< of glTF: only this node and all below it; empty: the default scene
    std::optional<float> fps = {};  ///< poses per second of a sequence
    float start = 0.0f;             ///< [s], time at which the motion begins
    bool overlap = false;           ///< the surface may intersect itself
    bool operator==(const MeshSource&) const = default;
};

/// A closed surface of triangles that are counter-clockwise seen from outside (or all of them seen from inside). Vertices at the same
/// position count as one.
struct Mesh {
    std::vector<glm::vec3> positions;   ///< in the mesh's unit, see Shape::scale; of a mesh that deforms, at its start
    std::vector<glm::uvec3> triangles;  ///< indices into positions
    MeshSource source = {};
    std::shared_ptr<const MeshMotion> motion = {};  ///< a null pointer: the mesh does not deform
    MotionRange range = {};                         ///< of the motion
    std::uint64_t motionHash = 0;                   ///< of what the files say about the motion
    bool operator==(const Mesh&) const = default;
};

struct MeshBounds {
    glm::vec3 low{0.0f}, high{0.0f};
    [[nodiscard]] glm::dvec3 middle() const { return 0.5 * (glm::dvec3(low) + glm::dvec3(high)); }
    [[nodiscard]] glm::dvec3 size() const { return glm::dvec3(high) - glm::dvec3(low); }
};

/// Bounds of the vertices that triangles use. Indices must be valid.
MeshBounds boundsOf(const Mesh& mesh);
/// The same of another pose of the mesh.
MeshBounds boundsOf(const Mesh& mesh, const std::vector<glm::vec3>& positions);

/// Numbers the distinct positions: vertices that exporters have split at seams get the same index.
std::vector<std::uint32_t> positionIndices(const Mesh& mesh);

/// Why the mesh cannot be used; empty if it can. mesh_report.h finds gaps and thin parts.
std::string meshProblem(const Mesh& mesh);

}  // namespace wisp
