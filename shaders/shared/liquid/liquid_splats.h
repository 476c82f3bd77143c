// SPDX-License-Identifier: MIT
// Particles as splats in a picture. Included by C++ and by GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_LIQUID_LIQUID_SPLATS_H
#define WISP_SHADERS_SHARED_LIQUID_LIQUID_SPLATS_H
#include "../splats.h"
#ifdef __cplusplus
namespace wisp::gpu {
#endif

struct LiquidSplats {
    float radius;    // of a particle [samples]
    float perSpeed;  // colours a m/s
};

#ifdef __cplusplus
WISP_MEMBERS(LiquidSplats, radius, perSpeed)
}  // namespace wisp::gpu
#endif
#endif
