// SPDX-License-Identifier: MIT
// Opaque marks in a picture, such as tracers and grass. Each sample has one word, for its nearest mark. The upper 22 bits of the word are
// those of the distance along the view axis as a float, to 1/8192 of itself; words therefore sort by distance. The next bit says whether
// lights illuminate the mark. The last nine bits index its colour. Included by C++ and by GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_MARKS_H
#define WISP_SHADERS_SHARED_MARKS_H
#include "outside_air.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <cstdint>
namespace wisp::gpu {
using uint = std::uint32_t;
#endif

#define WISP_MARK_SAMPLES 2  // along the edge of a pixel
#define WISP_NO_MARK 0xffffffffu
#define WISP_MARK_BITS 0x3ffu  // of a word, that are not distance
#define WISP_MARK_LIT 0x200u
#define WISP_MARK_COLOURS 512u

struct TracerMarks {
    uint count;
    float radius;    // of a point, width of an arrow [samples]
    float arrow;     // motion that it shows [s]; 0: points
    float perSpeed;  // colours a m/s
    float fade;      // [s] before a tracer's end in which it shrinks
};

struct GrassMarks {
    OutsideAir air;
    uint columns;  // blades along x; one in each rectangle
    uint count;
    float step[2];  // edges of that [m]
    float low[3];   // corner of the lawn [m]
    float height;   // mean [m]
    float perBend;  // tangent of the lean a m/s
    uint seed;
};

#ifdef __cplusplus
WISP_MEMBERS(TracerMarks, count, radius, arrow, perSpeed, fade)
WISP_MEMBERS(GrassMarks, air, columns, count, step, low, height, perBend, seed)
}  // namespace wisp::gpu
#endif
#endif
