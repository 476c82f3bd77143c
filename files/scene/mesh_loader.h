// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh.h"

#include <filesystem>
#include <memory>

namespace wisp {

/// Largest memory of the positions of a sequence [bytes].
inline constexpr std::uint64_t kMaxSequenceBytes = std::uint64_t{4} << 30;

/// Reads a mesh that a solid can have: one file, an animated glTF file, or a sequence of OBJ files with the same triangles. Between two
/// files of a sequence, vertices follow a Catmull-Rom spline. Before its first pose and after its last, a mesh is at rest.
/// @throws std::runtime_error with the reason, also if the surface is not closed or, without source.overlap, if it intersects itself.
Mesh loadMesh(const MeshSource& source);
/// The same. While a mesh is in use, it is not read again, unless its files have changed.
std::shared_ptr<const Mesh> sharedMesh(const MeshSource& source);

}  // namespace wisp
