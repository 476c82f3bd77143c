// SPDX-License-Identifier: MIT
// Combustion in a step: see react.comp. Included by C++ and by GLSL.
#ifndef WISP_SHADERS_SHARED_FIRE_H
#define WISP_SHADERS_SHARED_FIRE_H
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"
namespace wisp::gpu {
#endif

struct FirePush {
    float burnt;      // k dt, with the burn rate k
    float ignition;   // [K]
    float heat;       // [K]
    float cooled;     // 3 cooling dt / heat^4 [1/K^3]
    float soot;       // density per fuel
    float ambient;    // [K]
    float expansion;  // factor of the divergence
    int mixing;       // WISP_PREMIXED ...
    vec4 sootColour;  // density per fuel, times colour; w = 0
};

#ifdef __cplusplus
WISP_MEMBERS(FirePush, burnt, ignition, heat, cooled, soot, ambient, expansion, mixing, sootColour)
}  // namespace wisp::gpu
#endif
#endif
