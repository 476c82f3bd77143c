// SPDX-License-Identifier: MIT
// Reading a mesh's tree.
#extension GL_EXT_scalar_block_layout : require
#include "shared/mesh.h"
layout(binding = 1, scalar) readonly buffer Nodes { MeshNode nodes[]; };
layout(binding = 2, scalar) readonly buffer Triangles { MeshTriangle triangles[]; };

// Nodes that one invocation looks at, at most. A ball of 80,000 triangles in 128 voxels needs 120 in the mean and 3,100 at
// its middle; where a mesh is so tangled that this is not enough, the answer is the best one until then. Some drivers stop after 65535
// iterations of an invocation.
const int kMaxVisits = 12000;
const int kTreeDepth = 32;  // a tree that is split at its median is at most log2(triangles) deep
