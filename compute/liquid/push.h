// SPDX-License-Identifier: MIT
// Push constants of liquid passes, as their shaders declare them.
#pragma once

#include "engine/members.h"
#include "shaders/shared/pressure_level.h"

namespace wisp {

struct LiquidWeightsPush {
    gpu::PressureLevel level;
    int ghostFluid;
};
WISP_MEMBERS(LiquidWeightsPush, level, ghostFluid)

struct LiquidDensityErrorPush {
    gpu::PressureLevel level;
    float rate;  ///< [1/s]
};
WISP_MEMBERS(LiquidDensityErrorPush, level, rate)

}  // namespace wisp
