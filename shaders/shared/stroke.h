// SPDX-License-Identifier: MIT
// A straight part of a stroke: see shared/stroke.glsl.
#ifndef WISP_SHADERS_SHARED_STROKE_H
#define WISP_SHADERS_SHARED_STROKE_H
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"
namespace wisp::gpu {
#endif

#define WISP_STROKE_REACH 5.0f  // radii: so far from its way a stroke is felt; beyond it is below 4e-6

struct StrokePush {
    ivec3 first;   // first cell of the box of cells that it touches
    vec3 from;     // [m]
    vec3 along;    // unit
    float way;     // its length [m]
    float radius;  // standard deviation [m]
    vec4 amount;   // added per metre of way within the Gaussian
};

#ifdef __cplusplus
WISP_MEMBERS(StrokePush, first, from, along, way, radius, amount)
}  // namespace wisp::gpu
#endif
#endif
