// SPDX-License-Identifier: MIT
// Opaque splats in a picture, such as tracers and grass. Each sample has one word, for its nearest splat. The upper 22 bits of the word are
// the upper 22 bits of the distance along the view axis as a float, with a relative precision of 1/8192. Words therefore sort by distance.
// The next bit says whether lights illuminate the splat. The last nine bits index its colour. Included by C++ and by GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_SPLATS_H
#define WISP_SHADERS_SHARED_SPLATS_H
#include "ambient_flow.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <cstdint>
namespace wisp::gpu {
using uint = std::uint32_t;
#endif

#define WISP_SPLAT_SAMPLES 2  // samples along the edge of a pixel
#define WISP_NO_SPLAT 0xffffffffu
#define WISP_SPLAT_BITS 0x3ffu  // bits of a word that do not belong to the distance
#define WISP_SPLAT_LIT 0x200u
#define WISP_SPLAT_COLOURS 512u

struct TracerSplats {
    uint count;
    float radius;    // radius of a point, or width of an arrow [samples]
    float arrow;     // time of motion that an arrow shows [s]; 0: points
    float perSpeed;  // colour indices per m/s
    float fade;      // time at the end of a tracer's life in which it shrinks [s]
};

struct GrassSplats {
    AmbientFlow air;
    uint columns;  // blades along x; one blade per rectangle
    uint count;
    float step[2];  // edges of a rectangle [m]
    float low[3];   // corner of the lawn [m]
    float height;   // mean height of a blade [m]
    float perBend;  // tangent of the lean angle per m/s
    uint seed;
};

#ifdef __cplusplus
WISP_MEMBERS(TracerSplats, count, radius, arrow, perSpeed, fade)
WISP_MEMBERS(GrassSplats, air, columns, count, step, low, height, perBend, seed)
}  // namespace wisp::gpu
#endif
#endif
