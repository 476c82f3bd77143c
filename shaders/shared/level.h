// SPDX-License-Identifier: MIT
// A grid whose blocks of 2x2x2 cells are the cells of the next coarser grid. The last blocks of an odd grid are truncated.
#ifndef WISP_SHADERS_SHARED_LEVEL_H
#define WISP_SHADERS_SHARED_LEVEL_H
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"
namespace wisp::gpu {
#endif

struct Level {
    ivec3 cells;
    int fineCells;  // fine cells of the simulation per cell along an edge
    float keep;     // decay factor of the detail: exp(-rate dt)
    ivec3 first;    // block, cell or texel of the first thread, in passes that run over a box
    ivec3 size;     // of this box, in passes whose work groups must not write beyond it
};

#ifdef __cplusplus
WISP_MEMBERS(Level, cells, fineCells, keep, first, size)
}  // namespace wisp::gpu
#endif
#endif
