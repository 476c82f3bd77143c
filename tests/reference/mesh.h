// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh.h"
#include "shaders/shared/step.h"
#include "tests/reference/grid.h"

#include <array>

namespace wisp::reference {

/// A mesh in the voxels of its grid: the middle of its bounding box is the middle of `size` voxels of edge `voxel`.
std::vector<std::array<dvec3, 3>> inVoxels(const Mesh& mesh, ivec3 size, double voxel);

/// Pass `mesh_crossings`: for x, y, z the entries less the exits from below and from above.
Field meshCrossings(const std::vector<std::array<dvec3, 3>>& triangles, ivec3 size);
/// Pass `mesh_distance`, but exact everywhere [voxels].
Numbers meshDistance(const std::vector<std::array<dvec3, 3>>& triangles, const Field& crossings);

double distanceTo(const std::array<dvec3, 3>& triangle, dvec3 p);

}  // namespace wisp::reference
