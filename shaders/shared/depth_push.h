// SPDX-License-Identifier: MIT
// Directions along which optical depths are summed, from the centres of the cells of the sky volume.
#ifndef WISP_SHADERS_SHARED_DEPTH_PUSH_H
#define WISP_SHADERS_SHARED_DEPTH_PUSH_H
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec4.hpp>
namespace wisp::gpu {
using vec4 = glm::vec4;
#endif

#define WISP_DEPTHS 4       // directions of a pass, one per channel
#define WISP_DEPTH_CELLS 4  // length of the first step [cells], and number of its samples

struct DepthPush {
    vec4 steps[WISP_DEPTHS];  // xyz: a step [edges of the box], w: its length [m]; 0 for an unused direction, whose depth is 0
};

#ifdef __cplusplus
WISP_MEMBERS(DepthPush, steps)
}  // namespace wisp::gpu
#endif
#endif
