// SPDX-License-Identifier: MIT
// What a window shows: a picture, and triangles over it.
#ifndef WISP_SHADERS_SHARED_SCREEN_H
#define WISP_SHADERS_SHARED_SCREEN_H
#ifdef __cplusplus
#include "engine/members.h"

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <cstdint>
namespace wisp::gpu {
using vec2 = glm::vec2;
using vec4 = glm::vec4;
using ivec2 = glm::ivec2;
using uint = std::uint32_t;
#endif

#define WISP_SCREEN_TILE 8        // pixels along an edge of the squares that have lists of triangles
#define WISP_SCREEN_INDEX_BITS 20  // of a list's entry, that say which triangle; see ScreenTile
#define WISP_SCREEN_TILE_ROW 4096  // tiles in a row of a dispatch, because rows are limited

struct ScreenCorner {
    vec2 position;  // [pixels], y down
    vec2 uv;        // in the atlas
    uint colour;    // 0xAABBGGRR, straight alpha
};

struct ScreenTriangle {
    ScreenCorner corners[3];  // of positive area: right, down, and back
};

// A tile that triangles meet. What covers the whole of it in one colour, and lies under all else, is `ground`: c = ground.rgb +
// ground.a c. Its entries, which lie over that, in drawing order, are a triangle's index and above that the rectangle of the tile's pixels
// that it may cover, three bits each for the first column and row and the last.
struct ScreenTile {
    ivec2 corner;  // [pixels]
    uint first;    // of its entries
    uint end;      // after the last
    vec4 ground;   // (0, 0, 0, 1): none
};

struct ScreenPush {
    ivec2 pixels;    // of the window
    ivec2 corner;    // of the window's part that the picture fills
    ivec2 area;      // size of that part
    ivec2 picture;   // pixels of the picture
    uint blueFirst;  // words of the result are 0xAARRGGBB
};

struct PanelsPush {
    ivec2 pixels;    // of the window
    uint tiles;
    uint blueFirst;
};

#ifdef __cplusplus
WISP_MEMBERS(ScreenCorner, position, uv, colour)
WISP_MEMBERS(ScreenTriangle, corners)
WISP_MEMBERS(ScreenTile, corner, first, end, ground)
WISP_MEMBERS(ScreenPush, pixels, corner, area, picture, blueFirst)
WISP_MEMBERS(PanelsPush, pixels, tiles, blueFirst)
}  // namespace wisp::gpu
#endif
#endif
