// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/problem.h"
#include "compute/scene/settings.h"

#include <array>

namespace wisp {

/// How well a mesh bounds a solid. Needs no GPU.
struct MeshReport {
    std::size_t triangles = 0;
    std::size_t edges = 0;
    std::size_t openEdges = 0;     ///< edges of only one triangle
    std::size_t crossedEdges = 0;  ///< edges of more than two triangles, or of two with inconsistent orientation
    /// Along x, y, z: share of the lines that enter and leave the solid a different number of times, of those that hit the surface.
    std::array<double, 3> leaks{};
    bool isDoubled = false;  ///< most lines enter and leave it at the same places: each part of the surface is there twice
    double thin = 0.0;       ///< share of the area behind which the solid is thinner than `thickness`

    [[nodiscard]] bool closed() const { return openEdges == 0 && crossedEdges == 0; }
};

/// @param thickness in the mesh's unit; 0: `thin` is not computed
MeshReport inspectMesh(const Mesh& mesh, double thickness);

/// Largest share of leaking lines, along two of the three axes. Two rays along each axis decide the sign of a voxel's distance.
/// Four of these six must be right, so one axis may be completely wrong, but not two.
inline constexpr double kMaxMeshLeaks = 0.1;

/// Why inside and outside cannot be told apart; empty if they can.
std::string leakProblem(const MeshReport& report);

/// A mesh is thin if this share of its surface is.
inline constexpr double kThinShare = 0.01;
/// Whether a mesh is thinner than `thickness`, in its unit.
bool isThin(const Mesh& mesh, double thickness);

/// Warnings about the meshes of obstacles and emitters, by key. Settings must be valid.
std::vector<Problem> meshWarnings(const Settings& settings);
/// One line about an obstacle that is a mesh: triangles, size in cells, voxels, open and crossed edges, thin share of the surface.
std::string describeMesh(const Settings& settings, const ObstacleSettings& obstacle);
std::string describeMesh(const Settings& settings, const EmitterSettings& emitter);

}  // namespace wisp
