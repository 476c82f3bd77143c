#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/solids.glsl"
#include "shared/no_slip.glsl"
// A Jacobi sweep of u - nu dt laplacian u = u_0 on faces (backward Euler, stable for any step; Stam 1999). Zero normal gradient at the box,
// u = u_s on obstacles. First order in time.
layout(binding = 1) uniform sampler3D velocityBefore;  // u_0
layout(binding = 2) uniform sampler3D velocityIn;
layout(binding = 3) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { float amount; };  // nu dt / h^2

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    bool far = farFromObstacles(c);
    vec3 sum = texelFetch(velocityBefore, c, 0).xyz, weight = vec3(1.0);
    for (int axis = 0; axis < kAxes; ++axis) {
        if (!faceExists(c, axis)) continue;
        float phi = far ? 1.0 : faceDistance(c, axis);
        if (phi <= 0.0) {
            sum[axis] = bodyVelocity(c, axis, vec3(0.0))[axis];
            continue;
        }
        for (int n = 0; n < 2 * kAxes; ++n) {
            ivec3 way = n < kAxes ? unit(n) : -unit(n - kAxes), neighbour = wrapped(c + way, sim.cells);
            if (neighbour != clamp(neighbour, ivec3(0), sim.cells - 1 + unit(axis))) continue;
            float there = far ? 1.0 : faceDistance(neighbour, axis), near = 1.0, un;
            if (there > 0.0) {
                un = texelFetch(velocityIn, neighbour, 0)[axis];
            } else {
                near = nearness(phi, there);
                un = bodyVelocity(neighbour, axis, (1.0 / near - 1.0) * vec3(way))[axis];
            }
            sum[axis] += amount * near * un;
            weight[axis] += amount * near;
        }
    }
    imageStore(velocityOut, c, velocityToStorage(sum / weight));
}
