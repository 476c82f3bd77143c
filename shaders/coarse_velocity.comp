#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
// Mean velocity [m/s] of the fine faces that make up each coarse face; w = which coarse faces are wholly open.
layout(binding = 1) uniform sampler3D velocity;
layout(binding = 2) uniform sampler3D openness;
layout(binding = 3) uniform writeonly image3D coarseOut;

void main() {
    ivec3 C = cell();
    if (outside(C, sim.pressureCells + 1)) return;
    int r = sim.ratio;
    vec4 mean = vec4(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        ivec3 first = C * r, t1 = unit((axis + 1) % 3), t2 = unit((axis + 2) % 3);
        first[axis] = min(first[axis], sim.cells[axis]);
        float open = 0.0, count = 0.0;
        for (int n = 0; n < r * r; ++n) {
            ivec3 f = first + (n % r) * t1 + (n / r) * t2;
            if (!faceExists(f, axis)) continue;
            mean[axis] += texelFetch(velocity, f, 0)[axis];
            open += texelFetch(openness, f, 0)[axis];
            count += 1.0;
        }
        mean[axis] /= max(count, 1.0);
        if (open == count && count > 0.0) mean.w += float(1 << axis);
    }
    imageStore(coarseOut, C, mean);
}
