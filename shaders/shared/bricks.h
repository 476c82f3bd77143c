// SPDX-License-Identifier: MIT
// Bricks of scalar cells, by which advection leaves out what stays empty.
#ifndef WISP_SHADERS_SHARED_BRICKS_H
#define WISP_SHADERS_SHARED_BRICKS_H
#ifdef __cplusplus
#include "engine/members.h"

#include <cstdint>
namespace wisp::gpu {
using uint = std::uint32_t;
#endif

#define WISP_SMOKE_BRICK 8  // scalar cells along an edge; whole groups of the passes over scalar cells

struct SmokeBrick {
    uint holds;   // any scalar in it is not 0
    float reach;  // longest component of its cells' paths back, or of those beside them [scalar cells]
};

#ifdef __cplusplus
WISP_MEMBERS(SmokeBrick, holds, reach)
}  // namespace wisp::gpu
#endif
#endif
