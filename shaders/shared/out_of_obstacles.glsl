// SPDX-License-Identifier: MIT
// Distance from any point to obstacles, and projection of points out of obstacles. Needs shared/grid.glsl.
layout(binding = 2) uniform sampler3D solidDistance;  // [cells], see obstacles.comp

// Signed distance [cells] from p to the nearest obstacle. Far from obstacles it is only a lower bound, above 1.
float obstacleAt(vec3 p) {
    if (sim.obstacleCount == 0) return WISP_FAR_CELLS;
    float beyond = obstaclesBeyond(p);
    return beyond > 1.0 ? beyond : sampleCells(solidDistance, p).x;
}

// [cells] error that linearly interpolated distances may have at a surface: such points count as on the surface
const float kInside = -0.05;

// Moves p out of obstacles, by Newton's method along the gradient of the distance.
vec3 outOfObstacles(vec3 p, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        float phi = obstacleAt(p);
        if (phi >= 0.0) break;
        vec3 gradient = vec3(0.0);
        for (int axis = 0; axis < kAxes; ++axis)
            gradient[axis] = obstacleAt(p + 0.5 * vec3(unit(axis))) - obstacleAt(p - 0.5 * vec3(unit(axis)));
        // the gradient has the length 1, except where two surfaces are equally near
        p -= phi * gradient / max(dot(gradient, gradient), 0.25);
    }
    return p;
}
