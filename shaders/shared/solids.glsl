// SPDX-License-Identifier: MIT
// Obstacles and sides of the box as moving solids. Needs shared/grid.glsl.
#include "shared/shapes.glsl"

vec3 turn(vec3 d, vec3 angle) {  // d rotated by |angle| about `angle` (Rodrigues)
    float a = length(angle);
    if (a < 1e-9) return d;
    vec3 k = angle / a;
    return d * cos(a) + cross(k, d) * sin(a) + k * dot(k, d) * (1.0 - cos(a));
}

// Signed distance [m] from the offset d from the centre of obstacle n to all positions of the obstacle during the last `swept` seconds of
// the step. `ago` [s]: how long before the end of the step the nearest position was. Exact for spheres. Other shapes are evaluated at
// positions that are at most a cell apart.
float sweptDistance(int n, vec3 d, out float ago) {
    vec3 V = obstacles[n].velocity;
    float swept = obstacles[n].swept;
    ago = 0.0;
    if (!kBranchless && swept == 0.0) return bodyDistance(obstacles[n].shape, d);  // CPU devices would do this and the loop
    if (swept > 0.0 && obstacles[n].shape.kind == WISP_SPHERE) {
        ago = clamp(-dot(d, V) / dot(V, V), 0.0, swept);
        return length(d + ago * V) - obstacles[n].shape.radius;
    }
    float phi = 1e30;
    int positions = swept == 0.0 ? 1 : obstacles[n].positions;
    for (int k = 0; k < positions; ++k) {
        float t = swept * float(k) / float(max(positions - 1, 1));
        // A point that was at d moves with the body to this position at the end of the step.
        float there = bodyDistance(obstacles[n].shape, turn(d + t * V, t * obstacles[n].angularVelocity));
        if (there < phi) {
            phi = there;
            ago = t;
        }
    }
    return phi;
}

struct NearestObstacle {
    int index;       // -1: there is no obstacle
    float distance;  // [m]
    vec3 r;          // offset from its centre at that time [m]
};

NearestObstacle nearestObstacle(vec3 x) {
    NearestObstacle nearest = NearestObstacle(-1, 1e30, vec3(0.0));
    for (int n = 0; n < sim.obstacleCount; ++n) {
        vec3 V = obstacles[n].velocity;
        float bound = kPeriodic == 0 ? 0.0 : boundOf(obstacles[n].shape) + obstacles[n].swept * length(V);
        for (int k = 0; k <= kPeriodic; ++k) {
            float ago;
            vec3 d = fromImage(x - obstacles[n].shape.centre, k);
            if (!isImage(k) || (k > 0 && length(d) - bound > nearest.distance)) continue;
            float phi = sweptDistance(n, d, ago);
            if (phi < nearest.distance) nearest = NearestObstacle(n, phi, d + ago * V);
        }
    }
    return nearest;
}

// Signed distance [m] to the nearest obstacle at x [m]; `nearest` is its index (-1: there is none). Hot passes read
// solidDistance instead (shared/near_solid.glsl).
float obstacleDistance(vec3 x, out int nearest) {
    NearestObstacle o = nearestObstacle(x);
    nearest = o.index;
    return o.distance;
}

// Velocity [m/s] at the offset r from the centre of obstacle n.
vec3 rigidVelocity(int n, vec3 r) { return obstacles[n].velocity + cross(obstacles[n].angularVelocity, r); }
vec3 obstacleVelocity(int n, vec3 r) { return rigidVelocity(n, r) + deformation(obstacles[n].shape, r); }

// Velocity of the solid part of a face along its axis [m/s]: of the obstacle, inflow, or 0 at a wall.
float solidVelocity(ivec3 face, int axis) {
    int side = sideOfFace(face, axis);
    if (side == WISP_INFLOW) return sim.inflow[axis];
    if (side == WISP_WALL) return 0.0;
    NearestObstacle o = nearestObstacle(worldPoint(facePoint(face, axis)));
    if (o.index < 0) return 0.0;
    return (rigidVelocity(o.index, o.r) + deformationFlux(obstacles[o.index].shape, o.r, o.distance))[axis];
}
