// SPDX-License-Identifier: MIT
// Contents of a window: an image, with triangles drawn over it.
#ifndef WISP_SHADERS_SHARED_SCREEN_H
#define WISP_SHADERS_SHARED_SCREEN_H
#ifdef __cplusplus
#include "engine/members.h"

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
namespace wisp::gpu {
using vec2 = glm::vec2;
using vec4 = glm::vec4;
using ivec2 = glm::ivec2;
using uint = std::uint32_t;
#endif

#define WISP_SCREEN_TILE 8         // pixels along an edge of the tiles, which have lists of triangles
#define WISP_SCREEN_INDEX_BITS 20  // bits of a list entry that hold the index of the triangle; see ScreenTile
#define WISP_SCREEN_TILE_ROW 4096  // tiles in a row of a dispatch, because the length of rows is limited

struct ScreenCorner {
    vec2 position;  // [pixels], y down
    vec2 uv;        // in the atlas
    uint colour;    // 0xAABBGGRR, straight alpha
};

struct ScreenTriangle {
    ScreenCorner corners[3];  // of positive area, in the order right, down, and back
};

// A tile that triangles overlap. `ground` combines everything that covers the whole tile in one colour and lies below all else:
// c = ground.rgb + ground.a c. The entries lie above it, in drawing order. An entry holds the index of a triangle and, in the bits above,
// the rectangle of the tile's pixels that the triangle may cover: three bits each for the first column and row and for the last column and
// row.
struct ScreenTile {
    ivec2 corner;  // [pixels]
    uint first;    // first of its entries
    uint end;      // one past its last entry
    vec4 ground;   // (0, 0, 0, 1): nothing
};

struct ScreenPush {
    ivec2 pixels;    // of the window
    ivec2 corner;    // corner of the part of the window that the image fills
    ivec2 area;      // size of that part
    ivec2 picture;   // pixels of the image
    uint blueFirst;  // 1: words of the result are 0xAARRGGBB
};

struct PanelsPush {
    ivec2 pixels;  // of the window
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
