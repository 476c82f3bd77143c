// SPDX-License-Identifier: MIT
// Bricks of scalar cells. Advection skips bricks that stay empty.
#ifndef WISP_SHADERS_SHARED_BRICKS_H
#define WISP_SHADERS_SHARED_BRICKS_H
#ifdef __cplusplus
#include "engine/members.h"

#include <cstdint>
namespace wisp::gpu {
using uint = std::uint32_t;
#endif

#define WISP_SMOKE_BRICK 8  // scalar cells along an edge; a multiple of the work group size of the passes over scalar cells

struct SmokeBrick {
    uint holds;   // 1 if any scalar in the brick is not 0
    float reach;  // longest component of the backward paths of its cells or of the cells beside them [scalar cells]
};

#ifdef __cplusplus
WISP_MEMBERS(SmokeBrick, holds, reach)
}  // namespace wisp::gpu
#endif
#endif
