// SPDX-License-Identifier: MIT
// Push constants of the passes that measure the force of a fluid on an obstacle. Shared by C++ and GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_BODY_H
#define WISP_SHADERS_SHARED_BODY_H
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec3.hpp>
namespace wisp::gpu {
using ivec3 = glm::ivec3;
#endif

struct BodyPush {
    ivec3 first;  // first cell of the block of cells that is visited; the block contains all obstacles
    ivec3 size;
    int index;     // index of the obstacle
    float factor;  // for pressure: density over time step [kg/(m^3 s)]; for friction: density times viscosity [kg/(m s)]
    float amount;  // for friction: viscosity times time step over h^2, at most the stability limit of diffuse.comp
};

#ifdef __cplusplus
WISP_MEMBERS(BodyPush, first, size, index, factor, amount)
}  // namespace wisp::gpu
#endif
#endif
