#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
// u' = u + nu dt laplacian u on faces: explicit, stable for nu dt / h^2 <= 1/6; zero normal gradient at the box.
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { float amount; };  // nu dt / h^2

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec4 u = texelFetch(velocityIn, c, 0);
    vec4 result = u;
    for (int axis = 0; axis < kAxes; ++axis) {
        if (!faceExists(c, axis)) continue;
        for (int n = 0; n < 6; ++n) {
            ivec3 neighbour = wrapped(c + (n < 3 ? unit(n) : -unit(n - 3)), sim.cells);
            neighbour = clamp(neighbour, ivec3(0), sim.cells - 1 + unit(axis));
            result[axis] += amount * (texelFetch(velocityIn, neighbour, 0)[axis] - u[axis]);
        }
    }
    imageStore(velocityOut, c, velocityToStorage(result.xyz));
}
