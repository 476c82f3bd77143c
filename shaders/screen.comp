#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/screen.h"
layout(local_size_x = WISP_SCREEN_TILE, local_size_y = WISP_SCREEN_TILE) in;
// What a window shows: the picture, linear between its pixels where it has fewer than the window, and over it triangles in their
// order, c = mix(c, colour * atlas, alpha). A pixel belongs to the triangle that its centre lies in; on an edge between two to
// exactly one of them. A group is a tile, and has a list of the triangles that may meet it: those that are not in it do not.
layout(binding = 0, scalar) readonly buffer Picture { uint picture[]; };  // 0xAABBGGRR
layout(binding = 1, scalar) readonly buffer Vertices { ScreenVertex vertices[]; };
layout(binding = 2, scalar) readonly buffer Indices { uint indices[]; };  // two of 16 bits a word
layout(binding = 3, scalar) readonly buffer Ranges { ScreenRange ranges[]; };
layout(binding = 4) uniform sampler2D atlas;
layout(binding = 5, scalar) writeonly buffer Words { uint words[]; };
layout(binding = 6, scalar) readonly buffer Tiles { uint tiles[]; };  // the first entry of each, and the end
layout(binding = 7, scalar) readonly buffer Entries { ScreenEntry entries[]; };
layout(push_constant, scalar) uniform Push { ScreenPush push; };

vec4 pictureAt(vec2 x) {  // [pixels of the picture]
    ivec2 low = ivec2(floor(x - 0.5)), last = push.picture - 1;
    vec2 f = x - 0.5 - vec2(low);
    ivec2 a = clamp(low, ivec2(0), last), b = clamp(low + 1, ivec2(0), last);
    vec4 above = mix(unpackUnorm4x8(picture[a.y * push.picture.x + a.x]), unpackUnorm4x8(picture[a.y * push.picture.x + b.x]), f.x);
    vec4 below = mix(unpackUnorm4x8(picture[b.y * push.picture.x + a.x]), unpackUnorm4x8(picture[b.y * push.picture.x + b.x]), f.x);
    return mix(above, below, f.y);
}

uint cornerIndex(ScreenRange r, uint i) { return r.base + ((indices[i >> 1] >> (16u * (i & 1u))) & 0xffffu); }

// Twice the area of (a, b, x), the same to the bit but for its sign when a and b change places.
float edge(vec2 a, vec2 b, vec2 x) {
    bool turned = a.x > b.x || (a.x == b.x && a.y > b.y);
    vec2 p = turned ? b : a, q = turned ? a : b;
    precise float area = (q.x - p.x) * (x.y - p.y) - (q.y - p.y) * (x.x - p.x);
    return turned ? -area : area;
}

// Whether a point on the edge from a to b belongs to what lies on its positive side.
bool owns(vec2 a, vec2 b) { return b.y - a.y < 0.0 || (b.y == a.y && b.x > a.x); }

bool covers(float area, vec2 a, vec2 b) { return area > 0.0 || (area == 0.0 && owns(a, b)); }

void blend(inout vec3 c, ScreenRange r, uint first, vec2 x) {
    ScreenVertex a = vertices[cornerIndex(r, first)], b = vertices[cornerIndex(r, first + 1u)], d = vertices[cornerIndex(r, first + 2u)];
    if (edge(a.position, b.position, d.position) < 0.0) {  // either way round
        ScreenVertex other = b;
        b = d;
        d = other;
    }
    float wa = edge(b.position, d.position, x), wb = edge(d.position, a.position, x), wd = edge(a.position, b.position, x);
    if (!covers(wa, b.position, d.position) || !covers(wb, d.position, a.position) || !covers(wd, a.position, b.position)) return;
    float sum = wa + wb + wd;
    if (sum <= 0.0) return;
    vec3 w = vec3(wa, wb, wd) / sum;
    vec4 colour = mat3x4(unpackUnorm4x8(a.colour), unpackUnorm4x8(b.colour), unpackUnorm4x8(d.colour)) * w;
    colour *= textureLod(atlas, mat3x2(a.uv, b.uv, d.uv) * w, 0.0);
    c = mix(c, colour.rgb, colour.a);
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, push.pixels))) return;
    vec2 x = vec2(pixel) + 0.5;
    vec3 c = pictureAt(x / vec2(push.pixels) * vec2(push.picture)).rgb;
    uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    for (uint i = tiles[tile]; i < tiles[tile + 1u]; ++i) {
        ScreenRange r = ranges[entries[i].range];
        if (all(greaterThan(x, r.clip.xy)) && all(lessThan(x, r.clip.zw))) blend(c, r, entries[i].first, x);
    }
    words[pixel.y * push.pixels.x + pixel.x] = packUnorm4x8(vec4(push.blueFirst != 0u ? c.bgr : c, 1.0));
}
