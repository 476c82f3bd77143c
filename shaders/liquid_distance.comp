#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/out_of_obstacles.glsl"
#include "shared/liquid.glsl"
#include "shared/liquid_picture.h"
// Signed distance [cells] to the surface around particles, negative inside (Zhu, Bridson 2005): phi = |x - mean x_p| - r, by weights
// (1 - s^2 / R^2)^3 at a distance s. At the plane of a half-space that mean lies 0.246 R deep, which r is therefore: planes are where they
// should be. Where there are less particles r goes to that of one alone, whose ball has its volume. Walls are mirrors, and what lies in an
// obstacle is as what is before it, so that the liquid has no gap there.
layout(binding = 3, scalar) readonly buffer Places { vec4 places[]; };
layout(binding = 4, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(binding = 5) uniform writeonly image3D distanceOut;
layout(push_constant, scalar) uniform Push { LiquidDistance push; };
const float kBefore = 0.75;  // an obstacle [cells]

// Row n of cells along an axis, or what it is an image of in the wall; -1: neither is in the box.
int mirrored(int n, int axis) {
    int size = sim.cells[axis], image = n < 0 ? -1 - n : n >= size ? 2 * size - 1 - n : n;
    bool wall = n < 0 ? sim.sidesLow[axis] == WISP_WALL : n < size || sim.sidesHigh[axis] == WISP_WALL;
    return wall && image >= 0 && image < size ? image : -1;
}
float mirroredPlace(float at, int n, int axis) { return n < 0 ? -at : n >= sim.cells[axis] ? 2.0 * float(sim.cells[axis]) - at : at; }

// Sums of weights and of weighted ways to particles, of cells [low, high] of the row at `row`; `side` < 0, > 0: their images beyond x0, x1.
void addRow(vec3 p, ivec3 row, int low, int high, int side, inout vec4 sum) {
    low = max(low, 0);
    high = min(high, sim.cells.x - 1);
    if (low > high) return;
    uint first = placeOf(ivec3(0, mirrored(row.y, 1), mirrored(row.z, 2)), sim.cells), end = cellFirst[first + uint(high) + 1u];
    for (uint n = cellFirst[first + uint(low)]; n < end; ++n) {
        vec3 at = places[n].xyz;
        at = vec3(mirroredPlace(at.x, side < 0 ? -1 : side > 0 ? sim.cells.x : 0, 0), mirroredPlace(at.y, row.y, 1), mirroredPlace(at.z, row.z, 2)) - p;
        float w = max(1.0 - dot(at, at) / (push.reach * push.reach), 0.0);
        sum += w * w * w * vec4(at, 1.0);
    }
}

vec4 gathered(vec3 p) {
    vec4 sum = vec4(0.0);
    ivec3 low = ivec3(floor(p - push.reach)), high = ivec3(floor(p + push.reach));
    for (int z = low.z; z <= high.z; ++z)
        for (int y = low.y; y <= high.y; ++y) {
            if (mirrored(y, 1) < 0 || mirrored(z, 2) < 0) continue;
            addRow(p, ivec3(0, y, z), low.x, high.x, 0, sum);
            if (low.x < 0 && sim.sidesLow.x == WISP_WALL) addRow(p, ivec3(0, y, z), 0, -1 - low.x, -1, sum);
            if (high.x >= sim.cells.x && sim.sidesHigh.x == WISP_WALL) addRow(p, ivec3(0, y, z), 2 * sim.cells.x - 1 - high.x, sim.cells.x - 1, 1, sum);
        }
    return sum;
}

// p, or the place before the obstacle that p is in.
vec3 beforeObstacles(vec3 p) {
    for (int n = 0; n < rolled(3); ++n) {
        float phi = obstacleAt(p) - kBefore;
        if (phi >= 0.0) break;
        vec3 gradient;
        for (int axis = 0; axis < 3; ++axis) gradient[axis] = obstacleAt(p + 0.5 * vec3(unit(axis))) - obstacleAt(p - 0.5 * vec3(unit(axis)));
        p -= phi * gradient / max(dot(gradient, gradient), 0.25);
    }
    return p;
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.scalarCells)) return;
    vec4 sum = gathered(beforeObstacles(scalarPoint(c)));
    float most = push.reach - push.alone, r = mix(push.alone, push.radius, min(sum.w / push.plane, 1.0));
    imageStore(distanceOut, c, vec4(sum.w > 0.0 ? min(length(sum.xyz / sum.w) - r, most) : most));
}
