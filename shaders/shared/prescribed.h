// SPDX-License-Identifier: MIT
// A prescribed velocity field, see PrescribedSettings in compute/scene/settings.h. Shared by C++ and GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_PRESCRIBED_H
#define WISP_SHADERS_SHARED_PRESCRIBED_H
#include "enums.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
namespace wisp::gpu {
using vec2 = glm::vec2;
using vec3 = glm::vec3;
#endif

#define WISP_ARROW_ROWS 16

struct PrescribedData {
    int field;                                       // WISP_UNIFORM ...
    float speed;                                     // [m/s]
    vec3 velocity;                                   // of WISP_UNIFORM [m/s]
    vec2 arrows[WISP_ARROW_ROWS * WISP_ARROW_ROWS];  // [m/s], rows from y0 up
};

struct DeparturePointsPush {
    float dt;   // [s]
    int parts;  // number of parts of the step; 0: the paths begin
};

#ifdef __cplusplus
WISP_MEMBERS(PrescribedData, field, speed, velocity, arrows)
WISP_MEMBERS(DeparturePointsPush, dt, parts)
}  // namespace wisp::gpu
#endif
#endif
