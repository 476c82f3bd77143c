#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
// A Jacobi sweep of u - nu dt laplacian u = u_0 on faces (backward Euler: stable for any step; Stam 1999); zero normal gradient at
// the box. First order in time.
layout(binding = 1) uniform sampler3D velocityBefore;  // u_0
layout(binding = 2) uniform sampler3D velocityIn;
layout(binding = 3) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { float amount; };  // nu dt / h^2

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec3 sum = texelFetch(velocityBefore, c, 0).xyz, weight = vec3(1.0);
    for (int axis = 0; axis < kAxes; ++axis) {
        if (!faceExists(c, axis)) continue;
        for (int n = 0; n < 2 * kAxes; ++n) {
            ivec3 neighbour = wrapped(c + (n < kAxes ? unit(n) : -unit(n - kAxes)), sim.cells);
            if (neighbour != clamp(neighbour, ivec3(0), sim.cells - 1 + unit(axis))) continue;
            sum[axis] += amount * texelFetch(velocityIn, neighbour, 0)[axis];
            weight[axis] += amount;
        }
    }
    imageStore(velocityOut, c, velocityToStorage(sum / weight));
}
