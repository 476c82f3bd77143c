// SPDX-License-Identifier: MIT
// Tracers, a vec4 each: xyz = position in the box [cells], w = remaining lifetime [s]. A tracer without remaining lifetime does not exist.
// Shared by C++ and GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_TRACERS_H
#define WISP_SHADERS_SHARED_TRACERS_H
#ifdef __cplusplus
#include "engine/members.h"

#include <cstdint>
#include <glm/vec3.hpp>
namespace wisp::gpu {
using ivec3 = glm::ivec3;
using uint = std::uint32_t;
#endif

#define WISP_TRACER_GROUP 128  // threads; every device allows 65535 groups along x

struct TracersPush {
    uint count;
    float lifetime;  // [s]
    uint seed;
    uint step;       // of the simulation
    ivec3 scrolled;  // cells by which the box has moved in the step
};

#ifdef __cplusplus
WISP_MEMBERS(TracersPush, count, lifetime, seed, step, scrolled)
}  // namespace wisp::gpu
#endif
#endif
