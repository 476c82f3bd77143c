#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_POINTS 1
#include "shared/grid.glsl"
#include "shared/out_of_obstacles.glsl"
#include "shared/liquid/liquid_picture.h"
layout(push_constant, scalar) uniform Push { LiquidDistance push; ivec3 first; };
#include "shared/liquid/liquid_around.glsl"
// Points in an obstacle, or just in front of it, take the distance of the point in front of it, so that the liquid has no gap there. Runs
// after liquid_distance.
layout(binding = 5) uniform writeonly image3D distanceOut;
const float kBefore = 0.75;  // distance in front of an obstacle [cells]

vec3 beforeObstacles(vec3 p, float phi) {
    for (int n = 0; n < noUnroll(3) && phi < 0.0; ++n) {
        vec3 gradient;
        for (int axis = 0; axis < 3; ++axis)
            gradient[axis] = obstacleAt(p + 0.5 * vec3(unit(axis))) - obstacleAt(p - 0.5 * vec3(unit(axis)));
        p -= phi * gradient / max(dot(gradient, gradient), 0.25);
        phi = obstacleAt(p) - kBefore;
    }
    return p;
}

void main() {
    ivec3 c = first + cell();
    if (outside(c, sim.scalarCells)) return;
    vec3 p = scalarPoint(c);
    float phi = obstacleAt(p) - kBefore;
    if (phi < 0.0) imageStore(distanceOut, c, vec4(distancesAround(beforeObstacles(p, phi))[0]));
}
