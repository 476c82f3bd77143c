// SPDX-License-Identifier: MIT
// Smoke that enters through inflow sides: a pattern that fills the space outside and moves with flow.inflow. Included by C++ and by GLSL.
#ifndef WISP_SHADERS_SHARED_INFLOW_H
#define WISP_SHADERS_SHARED_INFLOW_H
#include "enums.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
namespace wisp::gpu {
using vec3 = glm::vec3;
using vec4 = glm::vec4;
#endif

struct InflowPush {
    vec4 value;   // density and temperature of the inflow, or density times colour
    vec3 shift;   // distance that the pattern has moved, less whole periods [m]
    float width;  // of a stripe or a square [m]
    vec3 along;   // direction of the inflow
    int pattern;  // WISP_EVEN ...
};

#ifdef __cplusplus
WISP_MEMBERS(InflowPush, value, shift, width, along, pattern)
}  // namespace wisp::gpu
#endif
#endif
