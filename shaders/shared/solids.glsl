// SPDX-License-Identifier: MIT
// Obstacles and sides of the box as solids that move. Needs shared/grid.glsl.
#include "shared/shapes.glsl"

vec3 turn(vec3 d, vec3 angle) {  // d turned by |angle| about it (Rodrigues)
    float a = length(angle);
    if (a < 1e-9) return d;
    vec3 k = angle / a;
    return d * cos(a) + cross(k, d) * sin(a) + k * dot(k, d) * (1.0 - cos(a));
}

// Signed distance [m] of x to all places of obstacle n from `swept` before the end of the step on; `ago` [s] is the nearest
// one's time. Exact for spheres; others in so many positions that they lie a cell apart at most.
float sweptDistance(int n, vec3 x, out float ago) {
    vec3 centre = sim.obstacles[n].shape.centre, V = sim.obstacles[n].velocity, d = x - centre;
    float swept = sim.obstacles[n].swept;
    ago = 0.0;
    if (swept == 0.0) return signedDistance(sim.obstacles[n].shape, x);
    if (sim.obstacles[n].shape.kind == WISP_SPHERE) {
        ago = clamp(-dot(d, V) / dot(V, V), 0.0, swept);
        return length(d + ago * V) - sim.obstacles[n].shape.radius;
    }
    float phi = 1e30;
    for (int k = 0; k < sim.obstacles[n].positions; ++k) {
        float t = swept * float(k) / float(sim.obstacles[n].positions - 1);
        // What lay at d then lies there now, once moved and turned with the body.
        float there = signedDistance(sim.obstacles[n].shape, centre + turn(d + t * V, t * sim.obstacles[n].angularVelocity));
        if (there < phi) {
            phi = there;
            ago = t;
        }
    }
    return phi;
}

float obstacleDistance(vec3 x, out int nearest, out float ago) {
    float phi = 1e30;
    nearest = -1;
    ago = 0.0;
    for (int n = 0; n < sim.obstacleCount; ++n) {
        float t, d = sweptDistance(n, x, t);
        if (d < phi) {
            phi = d;
            nearest = n;
            ago = t;
        }
    }
    return phi;
}

// Signed distance [m] to the nearest obstacle at x [m]; `nearest` is its index (-1: there is none). Hot passes read
// solidDistance instead (shared/near_solid.glsl).
float obstacleDistance(vec3 x, out int nearest) {
    float ago;
    return obstacleDistance(x, nearest, ago);
}

// Velocity of the solid part of a face along its axis [m/s]: rigid motion V + Omega x r, inflow, or 0 at a wall.
float solidVelocity(ivec3 face, int axis) {
    int side = sideOfFace(face, axis);
    if (side == WISP_INFLOW) return sim.inflow[axis];
    if (side == WISP_WALL) return 0.0;
    vec3 x = worldPoint(facePoint(face, axis));
    int n;
    float ago;
    obstacleDistance(x, n, ago);
    if (n < 0) return 0.0;
    vec3 V = sim.obstacles[n].velocity, r = x - (sim.obstacles[n].shape.centre - ago * V);
    return (V + cross(sim.obstacles[n].angularVelocity, r))[axis];
}
