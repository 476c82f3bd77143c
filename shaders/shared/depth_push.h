// SPDX-License-Identifier: MIT
// Directions that optical depths are summed along, from the middles of the sky volume's cells.
#ifndef WISP_SHADERS_SHARED_DEPTH_PUSH_H
#define WISP_SHADERS_SHARED_DEPTH_PUSH_H
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec4.hpp>
namespace wisp::gpu {
using vec4 = glm::vec4;
#endif

#define WISP_DEPTHS 4       // directions of a pass, one a channel
#define WISP_DEPTH_CELLS 4  // length of the first step [cells], and samples of it

struct DepthPush {
    vec4 steps[WISP_DEPTHS];  // xyz: a step [edges of the box], w: its length [m]; 0 where there is no direction, whose depth is 0
};

#ifdef __cplusplus
WISP_MEMBERS(DepthPush, steps)
}  // namespace wisp::gpu
#endif
#endif
