// SPDX-License-Identifier: MIT
// Distance to obstacles at any place, and the way out of them. Needs shared/grid.glsl.
#include "shared/sampling.glsl"
layout(binding = 2) uniform sampler3D solidDistance;  // [cells], see obstacles.comp

// Signed distance [cells] of p to the nearest obstacle; more where that is far.
float obstacleAt(vec3 p) {
    if (sim.obstacleCount == 0) return WISP_FAR_CELLS;
    float beyond = obstaclesBeyond(p);
    return beyond > 1.0 ? beyond : sampleLinear(solidDistance, p, sim.perCell).x;
}

const float kInside = -0.05;  // [cells] that linear distances may be wrong by at a surface that is worth being on

// Newton's method along the gradient of the distance.
vec3 outOfObstacles(vec3 p, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        float phi = obstacleAt(p);
        if (phi >= 0.0) break;
        vec3 gradient = vec3(0.0);
        for (int axis = 0; axis < kAxes; ++axis)
            gradient[axis] = obstacleAt(p + 0.5 * vec3(unit(axis))) - obstacleAt(p - 0.5 * vec3(unit(axis)));
        p -= phi * gradient / max(dot(gradient, gradient), 0.25);  // of 1 but where two surfaces are as near
    }
    return p;
}
