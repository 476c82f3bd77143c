// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh.h"

#include <filesystem>

namespace wisp {

// Limits of a file, so that reading takes bounded memory and time.
inline constexpr std::uintmax_t kMaxMeshFileBytes = 256u << 20;
inline constexpr std::size_t kMaxMeshVertices = 3 * kMaxMeshTriangles;
inline constexpr std::size_t kMaxFaceCorners = 1000;
/// Limit for the sum of (number of corners)^3 over faces with more than four corners, which bounds the time of ear clipping.
inline constexpr double kMaxFaceWork = 4e9;

/// Reads all objects of a Wavefront OBJ file as one mesh, or the surface of a volume. Faces are triangulated, materials are ignored.
/// @param anywhere whether the place of an OBJ mesh has no meaning. A mesh far from the origin, such as a building in coordinates of a map,
///     is then moved there before its coordinates are rounded to floats.
/// @throws std::runtime_error with the reason and the line.
Mesh readMesh(const std::filesystem::path& file, bool anywhere = false);

/// Whether a file is a volume.
bool isVolumeMesh(const std::filesystem::path& file);
/// The surface of a .vdb or .nvdb file [m]: of its level set, or else of its fog volume `density`, where that is 0.5.
/// @throws std::runtime_error with the reason.
Mesh readVolumeMesh(const std::filesystem::path& file);

}  // namespace wisp
