// SPDX-License-Identifier: MIT
// One sample of the path tracer.
#ifndef WISP_SHADERS_SHARED_PATH_H
#define WISP_SHADERS_SHARED_PATH_H
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <cstdint>
namespace wisp::gpu {
using uint = std::uint32_t;
#endif

#define WISP_PATH_STEPS 32768  // maximum number of bricks and collisions of a sample; a sample that needs more is counted as truncated

struct PathPush {
    uint index;  // of the sample, from 0
    uint seed;
    int bounces;  // maximum number of scatterings of a path; 0: unlimited
    int spread;   // 1: samples are spread over the pixel, 0: they lie at its centre
};

// Entry of an alias table: `keep` is the probability of the entry itself, otherwise `other` is chosen.
struct AliasEntry {
    float keep;
    uint other;
};

#ifdef __cplusplus
WISP_MEMBERS(PathPush, index, seed, bounces, spread)
WISP_MEMBERS(AliasEntry, keep, other)
}  // namespace wisp::gpu
#endif
#endif
