// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh.h"

#include <filesystem>

namespace wisp::app {

// What a file may hold, so that reading takes bounded memory and time.
inline constexpr std::uintmax_t kMaxMeshFileBytes = 256u << 20;
inline constexpr std::size_t kMaxMeshVertices = 3 * kMaxMeshTriangles;
inline constexpr std::size_t kMaxFaceCorners = 1000;
inline constexpr double kMaxFaceWork = 4e9;  ///< sum of the corners' cubes over faces of more than four: ears are looked for in vain

/// The surface in a Wavefront OBJ file, of all its objects together; faces are triangulated, materials ignored.
/// @throws std::runtime_error that says what is wrong, and in which line.
Mesh readMesh(const std::filesystem::path& file);

}  // namespace wisp::app
