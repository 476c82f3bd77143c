#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/screen.h"
layout(local_size_x = WISP_SCREEN_TILE, local_size_y = WISP_SCREEN_TILE) in;
// Draws triangles over the contents of a window, one group per tile: the tile's ground, then c = mix(c, colour * atlas, alpha) for each
// triangle of the tile's list, in order, that contains the pixel's centre. A centre on an edge between two triangles belongs to exactly one
// of them.
layout(binding = 0, scalar) readonly buffer Triangles { ScreenTriangle triangles[]; };
layout(binding = 1, scalar) readonly buffer Tiles { ScreenTile tiles[]; };
layout(binding = 2, scalar) readonly buffer Entries { uint entries[]; };
layout(binding = 3) uniform sampler2D atlas;
layout(binding = 4, scalar) buffer Words { uint words[]; };
layout(push_constant, scalar) uniform Push { PanelsPush push; };

// Twice the area of (a, b, x). If a and b are swapped, the result is bit-identical except for its sign.
float edge(vec2 a, vec2 b, vec2 x) {
    bool swapped = a.x > b.x || (a.x == b.x && a.y > b.y);
    vec2 p = swapped ? b : a, q = swapped ? a : b;
    precise float area = (q.x - p.x) * (x.y - p.y) - (q.y - p.y) * (x.x - p.x);
    return swapped ? -area : area;
}

// Whether a point lies on the positive side of the edge from a to b, or on the edge if the edge belongs to that side.
bool covers(float area, vec2 a, vec2 b) { return area > 0.0 || (area == 0.0 && (b.y < a.y || (b.y == a.y && b.x > a.x))); }

uint triangleOf(uint entry) { return bitfieldExtract(entry, 0, WISP_SCREEN_INDEX_BITS); }

bool isNear(uint entry, uvec2 inTile) {
    uvec4 box = (uvec4(entry) >> (WISP_SCREEN_INDEX_BITS + uvec4(0, 3, 6, 9))) & 7u;
    return all(greaterThanEqual(inTile, box.xy)) && all(lessThanEqual(inTile, box.zw));
}

bool contains(uint t, vec2 x, out vec3 w) {
    vec2 a = triangles[t].corners[0].position, b = triangles[t].corners[1].position, c = triangles[t].corners[2].position;
    w = vec3(edge(b, c, x), edge(c, a, x), edge(a, b, x));
    return covers(w.x, b, c) && covers(w.y, c, a) && covers(w.z, a, b);
}

vec4 colourAt(uint t, vec3 w) {
    ScreenCorner a = triangles[t].corners[0], b = triangles[t].corners[1], c = triangles[t].corners[2];
    vec4 colour = mat3x4(unpackUnorm4x8(a.colour), unpackUnorm4x8(b.colour), unpackUnorm4x8(c.colour)) * w;
    return colour * textureLod(atlas, mat3x2(a.uv, b.uv, c.uv) * w, 0.0);
}

void main() {
    uint tile = gl_WorkGroupID.y * WISP_SCREEN_TILE_ROW + gl_WorkGroupID.x;
    if (tile >= push.tiles) return;
    ivec2 pixel = tiles[tile].corner + ivec2(gl_LocalInvocationID.xy);
    if (any(greaterThanEqual(pixel, push.pixels))) return;
    vec2 x = vec2(pixel) + 0.5;
    int place = pixel.y * push.pixels.x + pixel.x;
    vec3 c = unpackUnorm4x8(words[place]).rgb, w;
    if (push.blueFirst != 0u) c = c.bgr;
    c = tiles[tile].ground.rgb + tiles[tile].ground.a * c;
    uint n = tiles[tile].first, end = tiles[tile].end;
    // Three nested loops, because pixels wait for each other at the end of a loop: few entries are near a pixel, and fewer are drawn there.
    // Loops are left in the middle, so that no iteration is wasted. n and w then depend on where a loop was left, which keeps their values
    // separate for each pixel.
    w = vec3(0.0);
    while (n < end) {
        for (;;) {
            for (;;) {
                if (isNear(entries[n], gl_LocalInvocationID.xy)) break;
                if (++n >= end) break;
            }
            if (n >= end) break;
            if (contains(triangleOf(entries[n]), x, w)) break;
            if (++n >= end) break;
        }
        if (n >= end) break;
        vec4 over = colourAt(triangleOf(entries[n]), w / (w.x + w.y + w.z));
        c = mix(c, over.rgb, over.a);
        ++n;
    }
    words[place] = packUnorm4x8(vec4(push.blueFirst != 0u ? c.bgr : c, 1.0));
}
