// SPDX-License-Identifier: MIT
// Signed distance [cells] to the surface around particles, negative inside (Zhu, Bridson 2005): phi = |x - mean x_p| - r, with weights
// (1 - s^2 / R^2)^3 at the distance s. At the plane of a half-space full of particles the mean lies 0.246 R deep. r has this value, so that
// planes are at the correct position. Where there are fewer particles, r approaches that of a single particle, whose ball has the volume of
// the particle. Walls are mirrors.
// Needs shared/grid.glsl, a push constant `push`, and WISP_POINTS: 1, or 8 for blocks of 2^3 scalar cells that share one loop over the
// particles.
// Uses stepData, not its copy `sim`, which would be kept in registers.
#include "shared/liquid/liquid_picture.h"
layout(binding = 3, scalar) readonly buffer Positions { vec4 positions[]; };
layout(binding = 4, scalar) readonly buffer CellFirst { uint cellFirst[]; };
// offset of the points from the centre along each axis [cells]
float offMiddle() { return WISP_POINTS == 1 ? 0.0 : 0.5 / float(kScalarRatio); }

// first cell that may contain a particle within reach
ivec3 firstCell(vec3 middle) { return ivec3(floor(middle - offMiddle() - push.reach)); }
ivec3 lastCell(vec3 middle) { return ivec3(floor(middle + offMiddle() + push.reach)); }
float farAway() { return push.reach - push.alone; }  // phi if no particle is within reach

bool isWall(int side) { return opaqueToCompiler(side) == WISP_WALL; }
// Row n of cells along an axis. For a row beyond a wall, the row of which it is the mirror image. -1: there is no such row in the box.
int mirrored(int n, int axis) {
    int size = stepData.cells[axis], image = n < 0 ? -1 - n : n >= size ? 2 * size - 1 - n : n;
    bool wall = n < 0 ? isWall(stepData.sidesLow[axis]) : n < size || isWall(stepData.sidesHigh[axis]);
    return wall && image >= 0 && image < size ? image : -1;
}
// A position in row n is x times the mirrored position, plus y.
vec2 turned(int n, int axis) {
    return n < 0 ? vec2(-1.0, 0.0) : n >= stepData.cells[axis] ? vec2(-1.0, 2.0 * float(stepData.cells[axis])) : vec2(1.0, 0.0);
}

// Distances of the points around `middle`, x fastest. Each row of cells is visited only within reach of any of the points.
float[WISP_POINTS] distancesAround(vec3 middle) {
    float perReach = 1.0 / push.reach, off = offMiddle() * perReach, phi[WISP_POINTS];
    vec4 sum[WISP_POINTS];  // w: sum of weights, xyz: sum of weighted offsets from the centre to the particles [R]
    [[unroll]] for (int k = 0; k < WISP_POINTS; ++k) sum[k] = vec4(0.0);
    ivec3 low = firstCell(middle), high = lastCell(middle), size = stepData.cells;
    for (int z = low.z; z <= high.z; ++z)
        for (int y = low.y; y <= high.y; ++y) {
            ivec2 row = ivec2(mirrored(y, 1), mirrored(z, 2));
            vec2 gap = max(abs(vec2(y, z) + 0.5 - middle.yz) - (0.5 + offMiddle()), 0.0), turnY = turned(y, 1), turnZ = turned(z, 2);
            float rest = push.reach * push.reach - dot(gap, gap), chord = offMiddle() + sqrt(max(rest, 0.0));
            if (min(row.x, row.y) < 0 || rest <= 0.0) continue;
            uint first = cellIndex(ivec3(0, row), size);
            int from = int(floor(middle.x - chord)), to = int(floor(middle.x + chord));
            int sides = to >= size.x && isWall(stepData.sidesHigh.x) ? 1 : 0;
            // -1, 1: mirror images beyond x0, x1
            for (int side = from < 0 && isWall(stepData.sidesLow.x) ? -1 : 0; side <= sides; ++side) {
                int a = side < 0 ? 0 : max(side > 0 ? 2 * size.x - 1 - to : from, 0),
                    b = side > 0 ? size.x - 1 : min(side < 0 ? -1 - from : to, size.x - 1);
                if (a > b) continue;
                vec2 turnX = turned(side < 0 ? -1 : side > 0 ? size.x : 0, 0);
                vec3 turn = vec3(turnX.x, turnY.x, turnZ.x), shift = vec3(turnX.y, turnY.y, turnZ.y) - middle;
                uint end = cellFirst[first + uint(b) + 1u];
                for (uint n = cellFirst[first + uint(a)]; n < end; ++n) {
                    vec3 x = (turn * positions[n].xyz + shift) * perReach;
                    vec2 u = x.x + vec2(off, -off), v = x.y + vec2(off, -off), w = x.z + vec2(off, -off);
                    u *= u, v *= v, w = 1.0 - w * w;
                    [[unroll]] for (int k = 0; k < WISP_POINTS; ++k) {
                        float one = max(w[k >> 2] - v[(k >> 1) & 1] - u[k & 1], 0.0);
                        sum[k] += one * one * one * vec4(x, 1.0);
                    }
                }
            }
        }
    [[unroll]] for (int k = 0; k < WISP_POINTS; ++k) {
        vec3 way = sum[k].xyz / sum[k].w + off * (1.0 - 2.0 * vec3(k & 1, (k >> 1) & 1, k >> 2));
        phi[k] = sum[k].w > 0.0 ? min(push.reach * length(way) - mix(push.alone, push.radius, min(sum[k].w / push.plane, 1.0)), farAway())
            : farAway();
    }
    return phi;
}
