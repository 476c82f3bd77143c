// SPDX-License-Identifier: MIT
// Smoke that has passed through thin bodies: see crossed_mass.comp. Included by C++ and by GLSL.
#ifndef WISP_SHADERS_SHARED_CROSSED_H
#define WISP_SHADERS_SHARED_CROSSED_H
#include "step.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <cstdint>
namespace wisp::gpu {
using uint = std::uint32_t;
#endif

#define WISP_CROSSED_SUMS 64             // so that few threads add to the same one; cells choose theirs by their index
#define WISP_CROSSED_PARTS 16777216.0f   // of density times a scalar cell in a sum: the smallest half
#define WISP_CROSSED_HIGH 256.0f         // density in 2^32 parts

// A sum since the start, in parts: low + 2^32 high. Integers: the order of additions does not matter.
struct CrossedSum {
    uint low, high;
};

struct CrossedPush {
    int bodies;    // bit n: obstacle n is measured
    float motion;  // the farthest that a point of one of them moves in the step [cells]
};

#ifdef __cplusplus
WISP_MEMBERS(CrossedSum, low, high)
WISP_MEMBERS(CrossedPush, bodies, motion)
}  // namespace wisp::gpu
#endif
#endif
