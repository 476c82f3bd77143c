// SPDX-License-Identifier: MIT
// Push constants of the passes of a liquid's image. Shared by C++ and GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_LIQUID_PICTURE_H
#define WISP_SHADERS_SHARED_LIQUID_PICTURE_H
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec3.hpp>
namespace wisp::gpu {
using vec3 = glm::vec3;
#endif

#define WISP_LIQUID_COLUMN 4  // scalar cells along z per thread of liquid_normals

struct LiquidDistance {
    float reach;   // radius R of the kernel [cells]
    float radius;  // r where half of the volume within reach is full [cells]
    float alone;   // r of a single particle [cells]
    float plane;   // sum of weights at the plane of a half-space
};

struct LiquidOptics {
    vec3 absorption;   // [1/m]
    float refraction;  // refractive index
};

#ifdef __cplusplus
WISP_MEMBERS(LiquidDistance, reach, radius, alone, plane)
WISP_MEMBERS(LiquidOptics, absorption, refraction)
}  // namespace wisp::gpu
#endif
#endif
