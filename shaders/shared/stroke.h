// SPDX-License-Identifier: MIT
// A straight segment of a stroke: see shared/stroke.glsl.
#ifndef WISP_SHADERS_SHARED_STROKE_H
#define WISP_SHADERS_SHARED_STROKE_H
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"
namespace wisp::gpu {
#endif

#define WISP_STROKE_REACH 5.0f  // radii: range of a stroke around its path; beyond it the Gaussian is below 4e-6

struct StrokePush {
    ivec3 first;       // first cell of the box of cells that the segment touches
    vec3 from;         // [m]
    vec3 along;        // unit
    float pathLength;  // its length [m]
    float radius;      // standard deviation [m]
    vec4 amount;       // added per metre of path within the Gaussian
    float mostZ;       // upper limit of the z of the result: 1 for a share of fuel, infinite for colours; unused for velocities
};

#ifdef __cplusplus
WISP_MEMBERS(StrokePush, first, from, along, pathLength, radius, amount, mostZ)
}  // namespace wisp::gpu
#endif
#endif
