// SPDX-License-Identifier: MIT
// What temporal.comp is told.
#ifndef WISP_SHADERS_SHARED_TEMPORAL_H
#define WISP_SHADERS_SHARED_TEMPORAL_H
#include "view.h"
#ifdef __cplusplus
#include "engine/members.h"
namespace wisp::gpu {
#endif

#define WISP_HISTORY 8.0        // pictures that a mean has the weight of, at most
#define WISP_DEPTH_CHANGE 0.1  // of a depth: what has moved by more is something else

struct TemporalPush {
    vec3 eye;      // the camera of the picture before, as in ViewData
    vec3 right;
    vec3 up;
    vec3 forward;
    int first;     // there is none
};

#ifdef __cplusplus
WISP_MEMBERS(TemporalPush, eye, right, up, forward, first)
}  // namespace wisp::gpu
#endif
#endif
