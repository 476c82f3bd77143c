// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh.h"

#include <string>

namespace wisp {

/// Where the surface of a mesh passes through itself, and how to mend it; empty if it does nowhere. Triangles with a common vertex are not
/// compared, and crossings less deep than 1e-5 of the mesh's longest edge do not count: that is a thousandth of a voxel.
std::string crossingProblem(const Mesh& mesh);

}  // namespace wisp
