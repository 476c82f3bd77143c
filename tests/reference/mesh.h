// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh.h"
#include "shaders/shared/step.h"
#include "tests/reference/grid.h"

#include <array>

namespace wisp::reference {

/// Triangles of a mesh in voxel coordinates. The centre of the bounding box maps to the centre of a grid of `size` voxels with edge
/// `voxel`.
std::vector<std::array<dvec3, 3>> inVoxels(const Mesh& mesh, ivec3 size, double voxel);

/// Pass `mesh_crossings`: per axis, entries minus exits, counted from below and from above.
Field meshCrossings(const std::vector<std::array<dvec3, 3>>& triangles, ivec3 size);
/// Pass `mesh_distance`, but exact in all voxels [voxels].
Numbers meshDistance(const std::vector<std::array<dvec3, 3>>& triangles, const Field& crossings);

double distanceTo(const std::array<dvec3, 3>& triangle, dvec3 p);
/// Barycentric coordinates of the point of a triangle nearest to p.
dvec3 nearestOn(const std::array<dvec3, 3>& triangle, dvec3 p);

}  // namespace wisp::reference
