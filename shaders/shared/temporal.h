// SPDX-License-Identifier: MIT
// Push constants of temporal.comp.
#ifndef WISP_SHADERS_SHARED_TEMPORAL_H
#define WISP_SHADERS_SHARED_TEMPORAL_H
#include "view.h"
#ifdef __cplusplus
#include "engine/members.h"
namespace wisp::gpu {
#endif

#define WISP_HISTORY 8.0       // maximum weight of the history [frames]
#define WISP_DEPTH_CHANGE 0.1  // relative change of depth above which a pixel shows a different object

struct TemporalPush {
    vec3 eye;  // camera of the previous frame, as in ViewData
    vec3 right;
    vec3 up;
    vec3 forward;
    int first;  // there is no previous frame
};

#ifdef __cplusplus
WISP_MEMBERS(TemporalPush, eye, right, up, forward, first)
}  // namespace wisp::gpu
#endif
#endif
