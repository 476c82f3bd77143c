// SPDX-License-Identifier: MIT
// Opaque splats in a picture, such as tracers and grass. Each sample has one word, for its nearest splat. The upper 22 bits of the word are
// those of the distance along the view axis as a float, to 1/8192 of itself; words therefore sort by distance. The next bit says whether
// lights illuminate the splat. The last nine bits index its colour. Included by C++ and by GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_SPLATS_H
#define WISP_SHADERS_SHARED_SPLATS_H
#include "ambient_flow.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <cstdint>
namespace wisp::gpu {
using uint = std::uint32_t;
#endif

#define WISP_SPLAT_SAMPLES 2  // along the edge of a pixel
#define WISP_NO_SPLAT 0xffffffffu
#define WISP_SPLAT_BITS 0x3ffu  // of a word, that are not distance
#define WISP_SPLAT_LIT 0x200u
#define WISP_SPLAT_COLOURS 512u

struct TracerSplats {
    uint count;
    float radius;    // of a point, width of an arrow [samples]
    float arrow;     // motion that it shows [s]; 0: points
    float perSpeed;  // colours a m/s
    float fade;      // [s] before a tracer's end in which it shrinks
};

struct GrassSplats {
    AmbientFlow air;
    uint columns;  // blades along x; one in each rectangle
    uint count;
    float step[2];  // edges of that [m]
    float low[3];   // corner of the lawn [m]
    float height;   // mean [m]
    float perBend;  // tangent of the lean a m/s
    uint seed;
};

#ifdef __cplusplus
WISP_MEMBERS(TracerSplats, count, radius, arrow, perSpeed, fade)
WISP_MEMBERS(GrassSplats, air, columns, count, step, low, height, perBend, seed)
}  // namespace wisp::gpu
#endif
#endif
