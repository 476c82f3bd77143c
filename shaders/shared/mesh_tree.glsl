// SPDX-License-Identifier: MIT
// Access to the tree of a mesh.
#extension GL_EXT_scalar_block_layout : require
#include "shared/mesh.h"
layout(binding = 1, scalar) readonly buffer Nodes { MeshNode nodes[]; };
layout(binding = 2, scalar) readonly buffer Triangles { MeshTriangle triangles[]; };

// Maximum number of nodes that one invocation visits. A ball of 80,000 triangles in 128 voxels needs 120 on average and 3,100 at its
// centre. If a mesh is so tangled that this is not enough, the result is the best one found until then. Some drivers stop after 65535
// iterations of an invocation.
const int kMaxVisits = 12000;
const int kTreeDepth = 32;  // a tree that is split at its median is at most log2(triangles) deep
