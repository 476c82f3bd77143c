// SPDX-License-Identifier: MIT
// What passes of a liquid's picture are told. Included by C++ and by GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_LIQUID_PICTURE_H
#define WISP_SHADERS_SHARED_LIQUID_PICTURE_H
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec3.hpp>
namespace wisp::gpu {
using vec3 = glm::vec3;
#endif

#define WISP_LIQUID_COLUMN 4  // scalar cells along z of a thread of liquid_normals

struct LiquidDistance {
    float reach;   // R of the kernel [cells]
    float radius;  // r where half the room within reach is full [cells]
    float alone;   // r of a particle alone [cells]
    float plane;   // sum of weights in a half-space, at its plane
};

struct LiquidOptics {
    vec3 absorption;   // [1/m]
    float refraction;  // index
};

#ifdef __cplusplus
WISP_MEMBERS(LiquidDistance, reach, radius, alone, plane)
WISP_MEMBERS(LiquidOptics, absorption, refraction)
}  // namespace wisp::gpu
#endif
#endif
