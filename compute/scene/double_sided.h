// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh.h"

namespace wisp {

/// Some exporters write each triangle of a solid once more with the opposite orientation. Such a surface enters and leaves the solid at the
/// same place, so that nothing is inside. Of each part of the mesh all of whose triangles are there an even number of times this keeps each
/// triangle once, all with one orientation. Parts have no common vertex; the triangles of a part may be in any order.
void dropBackFaces(Mesh& mesh);

}  // namespace wisp
