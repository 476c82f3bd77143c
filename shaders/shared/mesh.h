// SPDX-License-Identifier: MIT
// A mesh as the passes that build its distance grid read it: a tree of boxes over its triangles. Lengths are in voxels of that grid. Voxel
// (i, j, k) is centred at (i + 0.5, j + 0.5, k + 0.5).
#ifndef WISP_SHADERS_SHARED_MESH_H
#define WISP_SHADERS_SHARED_MESH_H
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"
namespace wisp::gpu {
#endif

struct MeshNode {
    vec3 low;
    int first;  // leaf: the first of `count` triangles; inner node, whose count is 0: the first of its two children
    vec3 high;
    int count;
};

struct MeshTriangle {
    vec3 a, b, c;
};

struct MeshPush {
    ivec3 size;      // voxels of the grid
    int slice;       // first slice of the grid in the image of all grids
    int firstSlice;  // first slice of this dispatch, within the grid
    float rate;      // of a mesh that deforms: 1 / time from its triangles before to its triangles [1/s]; 0: its velocity is 0
};

#ifdef __cplusplus
WISP_MEMBERS(MeshNode, low, first, high, count)
WISP_MEMBERS(MeshTriangle, a, b, c)
WISP_MEMBERS(MeshPush, size, slice, firstSlice, rate)
}  // namespace wisp::gpu
#endif
#endif
