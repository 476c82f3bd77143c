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

#define WISP_PATH_STEPS 32768  // bricks and collisions of a sample at most; one that needs more is counted as cut short

struct PathPush {
    uint index;    // of the sample, from 0
    uint seed;
    int bounces;   // scatterings of a path at most; 0: any number
    int spread;    // 1: samples lie anywhere in their pixel, 0: in its centre
};

// One of an alias table: it stays with this chance, else it is the other one.
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
