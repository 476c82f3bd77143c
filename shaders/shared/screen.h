// SPDX-License-Identifier: MIT
// What a window shows: a picture, and triangles over it.
#ifndef WISP_SHADERS_SHARED_SCREEN_H
#define WISP_SHADERS_SHARED_SCREEN_H
#ifdef __cplusplus
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <cstdint>
namespace wisp::gpu {
using vec2 = glm::vec2;
using vec4 = glm::vec4;
using ivec2 = glm::ivec2;
using uint = std::uint32_t;
#endif

#define WISP_SCREEN_TILE 16  // pixels along an edge of the square that a work group draws

struct ScreenVertex {
    vec2 position;  // [pixels], y down
    vec2 uv;        // in the atlas
    uint colour;    // 0xAABBGGRR, straight alpha
};

struct ScreenRange {  // triangles that are drawn one after another, cut at a rectangle
    vec4 clip;        // x0, y0, x1, y1 [pixels]
    uint first;       // of its indices
    uint triangles;
    uint base;        // added to each index
};

struct ScreenEntry {  // a triangle that a tile has to look at
    uint range;
    uint first;       // of its three indices
};

struct ScreenPush {
    ivec2 pixels;    // of the window
    ivec2 picture;   // pixels of the picture, which fills the window
    uint blueFirst;  // words of the result are 0xAARRGGBB
};

#ifdef __cplusplus
}  // namespace wisp::gpu
#endif
#endif
