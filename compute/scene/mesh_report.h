// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/problem.h"
#include "compute/scene/settings.h"

#include <array>

namespace wisp {

/// How well a mesh bounds a solid. Looking takes no GPU.
struct MeshReport {
    std::size_t triangles = 0;
    std::size_t edges = 0;
    std::size_t openEdges = 0;     ///< of one triangle only
    std::size_t crossedEdges = 0;  ///< of more than two, or of two that turn the same way
    std::array<double, 3>
        leaks{};        ///< share of the lines along x, y, z that meet the surface and enter it another number of times than they leave
    double thin = 0.0;  ///< share of the area behind which the solid is thinner than `cell`

    [[nodiscard]] bool closed() const { return openEdges == 0 && crossedEdges == 0; }
};

/// @param cell in the mesh's unit; 0: `thin` is not looked at
MeshReport inspectMesh(const Mesh& mesh, double cell);

/// Lines of an axis that may leak, at most, along two of the three axes. The sign of a voxel's distance is decided by two rays
/// along each axis, four of which must be right: one axis may be wrong altogether, two not.
inline constexpr double kMaxMeshLeaks = 0.1;

/// Why no inside can be told from the outside; empty: it can.
std::string leakProblem(const MeshReport& report);

/// What is worth a warning about the obstacles' meshes, by key. Settings must be valid.
std::vector<Problem> meshWarnings(const Settings& settings);
/// One line about an obstacle that is a mesh: triangles, size in cells, voxels, how closed and how thin.
std::string describeMesh(const Settings& settings, const ObstacleSettings& obstacle);

}  // namespace wisp
