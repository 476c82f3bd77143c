#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
layout(local_size_x = 64) in;
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/camera.glsl"
#include "shared/brick_edges.h"
// Draws the edges of active bricks as lines. A line of the width w [pixels] covers clamp((w + 1) / 2 - d, 0, 1) of a pixel whose centre is
// at the distance d from it. A pixel keeps the largest cover, so the order of lines does not matter, and where lines meet they are not
// brighter. Obstacles hide lines. One work group per brick; its threads share the pixels of each line.
layout(binding = 3, scalar) buffer CoverBlock { uint cover[]; };
layout(push_constant, scalar) uniform Push { BrickLines push; };

// Bricks past the box hold only its last faces, and have no edges.
bool isActive(ListedBrick brick, ivec3 offset) {
    ivec3 bit = offset + 1;
    if (outside((placeOf(brick) + offset) * WISP_BRICK_EDGE, sim.cells)) return false;
    return (brick.neighbours >> (bit.x + 3 * bit.y + 9 * bit.z) & 1u) != 0u;
}

// Whether a brick draws its edge between the sides towards `u` and `v`. Edges inside of four active bricks are not drawn. All others are
// drawn by the first active brick in the order z, y, x.
bool drawsEdge(ListedBrick brick, ivec3 u, ivec3 v) {
    ivec3 beside[3] = ivec3[](u, v, u + v);
    bool isInside = true;
    for (int n = 0; n < 3; ++n) {
        bool used = isActive(brick, beside[n]);
        if (used && beside[n].x + 3 * beside[n].y + 9 * beside[n].z < 0) return false;
        isInside = isInside && used;
    }
    return !isInside;
}

// xy: position of the point x [m] in the picture [pixels]. z: its distance along the view axis [m], > 0.
vec3 projected(vec3 x) {
    vec3 d = x - view.eye;
    float z = dot(d, view.forward);
    vec2 s = vec2(dot(d, view.right) / dot(view.right, view.right), -dot(d, view.up) / dot(view.up, view.up)) / z;
    return vec3(0.5 * (s + 1.0) * vec2(view.pixels), z);
}

bool isHidden(ivec2 pixel, float z) {
    int hit;
    vec3 ray = cameraRay(vec2(pixel) + 0.5);
    obstacleHit(view.eye, ray, z / dot(ray, view.forward), hit);
    return hit >= 0;
}

void coverPixel(ivec2 pixel, vec3 from, vec3 to) {
    vec2 way = to.xy - from.xy, d = vec2(pixel) + 0.5 - from.xy;
    float s = clamp(dot(d, way) / max(dot(way, way), 1e-12), 0.0, 1.0);
    float share = clamp(0.5 * (push.width + 1.0) - length(d - s * way), 0.0, 1.0);
    if (share <= 0.0 || isHidden(pixel, 1.0 / mix(1.0 / from.z, 1.0 / to.z, s))) return;
    atomicMax(cover[pixel.y * view.pixels.x + pixel.x], uint(share * float(WISP_FULL_COVER) + 0.5));
}

// Along the axis of the picture in which the line is longer, each thread takes every 64th pixel, and its neighbours across.
void drawLine(vec3 a, vec3 b) {
    float za = dot(a - view.eye, view.forward), zb = dot(b - view.eye, view.forward);
    if (max(za, zb) <= push.nearest) return;
    vec3 from = projected(za < push.nearest ? mix(a, b, (push.nearest - za) / (zb - za)) : a);
    vec3 to = projected(zb < push.nearest ? mix(b, a, (push.nearest - zb) / (za - zb)) : b);
    int along = abs(to.x - from.x) > abs(to.y - from.y) ? 0 : 1, across = 1 - along;
    float low = min(from[along], to[along]), high = max(from[along], to[along]);
    float slope = (to[across] - from[across]) / (abs(to[along] - from[along]) < 1e-6 ? 1e-6 : to[along] - from[along]);
    float reach = 0.5 * (push.width + 1.0), wide = reach * sqrt(1.0 + slope * slope);
    vec2 end = vec2(view.pixels);  // positions are clamped before the conversion to int, whose range they may exceed
    int first = int(clamp(ceil(low - reach - 0.5), 0.0, end[along])), last = int(clamp(floor(high + reach - 0.5), -1.0, end[along] - 1.0));
    for (int i = first + int(gl_LocalInvocationIndex); i <= last; i += int(gl_WorkGroupSize.x)) {
        float middle = from[across] + slope * (clamp(float(i) + 0.5, low, high) - from[along]) - 0.5;
        int begin = int(clamp(ceil(middle - wide), 0.0, end[across])), stop = int(clamp(floor(middle + wide), -1.0, end[across] - 1.0));
        for (int j = begin; j <= stop; ++j) coverPixel(along == 0 ? ivec2(i, j) : ivec2(j, i), from, to);
    }
}

void main() {
    if (!isListed()) return;
    ListedBrick brick = listedEntry();
    ivec3 first = placeOf(brick) * WISP_BRICK_EDGE;
    if (outside(first, sim.cells)) return;
    ivec3 size = min(sim.cells - first, ivec3(WISP_BRICK_EDGE));
    for (int n = 0; n < 12; ++n) {
        int axis = n >> 2;
        ivec3 side = ivec3((n & 1) * 2 - 1, (n & 2) - 1, 0);  // along the other two axes
        ivec3 u = side.x * unit((axis + 1) % 3), v = side.y * unit((axis + 2) % 3);
        if (!drawsEdge(brick, u, v)) continue;
        ivec3 start = first + size * max(u + v, ivec3(0));
        drawLine(worldPoint(vec3(start)), worldPoint(vec3(start + size * unit(axis))));
    }
}
