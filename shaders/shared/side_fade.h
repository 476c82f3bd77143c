// SPDX-License-Identifier: MIT
// Fading of smoke before open sides of the box: see side_fade.comp. Included by C++ and by GLSL.
#ifndef WISP_SHADERS_SHARED_SIDE_FADE_H
#define WISP_SHADERS_SHARED_SIDE_FADE_H
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"
namespace wisp::gpu {
#endif

#define WISP_FADE_DEPTH 6.9077553f  // ln 1000: 0.001 of the smoke that crosses the whole layer arrives at the side
#define WISP_FADE_RATE 1.0f         // [1/s], times the depth: smoke at rest at a side halves in 0.1 s

struct SideFadePush {
    vec4 fades;     // 1 for channels that fade, 0 for the others
    vec3 scrolled;  // [cells] by which the box has followed its target in this step
    float width;    // of the layer [cells]
};

#ifdef __cplusplus
WISP_MEMBERS(SideFadePush, fades, scrolled, width)
}  // namespace wisp::gpu
#endif
#endif
