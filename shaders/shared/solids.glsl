// SPDX-License-Identifier: MIT
// Obstacles and sides of the box as solids that move. Needs shared/grid.glsl.
#include "shared/shapes.glsl"

// Signed distance [m] to the nearest obstacle at x [m]; `nearest` is its index (-1: there is none).
float obstacleDistance(vec3 x, out int nearest) {
    float phi = 1e30;
    nearest = -1;
    for (int n = 0; n < sim.obstacleCount; ++n) {
        float d = signedDistance(sim.obstacles[n].shape, x);
        if (d < phi) {
            phi = d;
            nearest = n;
        }
    }
    return phi;
}

// Velocity of the solid part of a face along its axis [m/s]: rigid motion V + Omega x r, inflow, or 0 at a wall.
float solidVelocity(ivec3 face, int axis) {
    int side = sideOfFace(face, axis);
    if (side == WISP_INFLOW) return sim.inflow[axis];
    if (side == WISP_WALL) return 0.0;
    vec3 x = worldPoint(facePoint(face, axis));
    int n;
    obstacleDistance(x, n);
    if (n < 0) return 0.0;
    return (sim.obstacles[n].velocity + cross(sim.obstacles[n].angularVelocity, x - sim.obstacles[n].shape.centre))[axis];
}
