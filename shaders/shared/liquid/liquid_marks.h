// SPDX-License-Identifier: MIT
// Particles as marks in a picture. Included by C++ and by GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_LIQUID_LIQUID_MARKS_H
#define WISP_SHADERS_SHARED_LIQUID_LIQUID_MARKS_H
#include "../marks.h"
#ifdef __cplusplus
namespace wisp::gpu {
#endif

struct LiquidMarks {
    float radius;    // of a particle [samples]
    float perSpeed;  // colours a m/s
};

#ifdef __cplusplus
WISP_MEMBERS(LiquidMarks, radius, perSpeed)
}  // namespace wisp::gpu
#endif
#endif
