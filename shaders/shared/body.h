// SPDX-License-Identifier: MIT
// What a fluid does to an obstacle. Included by C++ and by GLSL (scalar layout), so that it exists once.
#ifndef WISP_SHADERS_SHARED_BODY_H
#define WISP_SHADERS_SHARED_BODY_H
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec3.hpp>
namespace wisp::gpu {
using ivec3 = glm::ivec3;
#endif

struct BodyPush {
    ivec3 first;   // cells that are looked at, which hold all obstacles
    ivec3 size;
    int index;     // of the obstacle
    float factor;  // of pressure: density over time step [kg/(m^3 s)]; of friction: density times viscosity [kg/(m s)]
    float amount;  // of friction: viscosity times time step over h^2, and no more than diffuse.comp can take
};

#ifdef __cplusplus
WISP_MEMBERS(BodyPush, first, size, index, factor, amount)
}  // namespace wisp::gpu
#endif
#endif
