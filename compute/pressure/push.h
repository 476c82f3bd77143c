// SPDX-License-Identifier: MIT
// Push constants of the passes over pressure cells, as their shaders in shaders/pressure declare them.
#pragma once

#include "engine/members.h"
#include "shaders/shared/pressure_level.h"

namespace wisp {

struct CoarseAperturePush {
    gpu::PressureLevel level;
    glm::ivec2 firstRow;  ///< y and z of the first thread
};
WISP_MEMBERS(CoarseAperturePush, level, firstRow)

struct JacobiPush {  // also of cg_apply
    gpu::PressureLevel level;
    float tolerance;
};
WISP_MEMBERS(JacobiPush, level, tolerance)

struct SorPush {
    gpu::PressureLevel level;
    float tolerance, omega;
    int colour;
};
WISP_MEMBERS(SorPush, level, tolerance, omega, colour)

struct RemoveMeanPush {
    gpu::PressureLevel level;
    int sum;  ///< index of the sum of the values
};
WISP_MEMBERS(RemoveMeanPush, level, sum)

struct PresmoothPush {
    float scale, omega;
};
WISP_MEMBERS(PresmoothPush, scale, omega)

struct DownsamplePush {
    gpu::PressureLevel level;
    int wantsMeans;
};
WISP_MEMBERS(DownsamplePush, level, wantsMeans)

struct SweepsPush {  // of mg_start and mg_sweeps
    gpu::PressureLevel level;
    float tolerance, omega;
};
WISP_MEMBERS(SweepsPush, level, tolerance, omega)

struct TilePush {  // of mg_down, mg_sweep_down and mg_up
    gpu::PressureLevel level, coarse;
    float tolerance, omega;
};
WISP_MEMBERS(TilePush, level, coarse, tolerance, omega)

struct RestrictPush {
    gpu::PressureLevel fine, coarse;
    float tolerance, omega;
};
WISP_MEMBERS(RestrictPush, fine, coarse, tolerance, omega)

struct ProlongPush {
    gpu::PressureLevel fine, coarse;
    float tolerance;
};
WISP_MEMBERS(ProlongPush, fine, coarse, tolerance)

struct BottomPush {
    gpu::PressureLevel top;
    int levels, after;
    float tolerance, omega;
};
WISP_MEMBERS(BottomPush, top, levels, after, tolerance, omega)

struct LevelWeightsPush {  // of mg_weights
    gpu::PressureLevel fine, coarse;
};
WISP_MEMBERS(LevelWeightsPush, fine, coarse)

struct BottomWeightsPush {
    gpu::PressureLevel top;
    int levels;
};
WISP_MEMBERS(BottomWeightsPush, top, levels)

struct CgDirectionPush {
    int count, first;
    float tolerance;
};
WISP_MEMBERS(CgDirectionPush, count, first, tolerance)

struct CgStepPush {
    int count;
    float tolerance;
};
WISP_MEMBERS(CgStepPush, count, tolerance)

}  // namespace wisp
