#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/solids.glsl"
#include "shared/upsample.glsl"
// Adds the coarse correction to the fine velocity, so that fine detail survives (Lentine, Zheng, Fedkiw 2010, eq. 14).
// A closed face carries the solid's normal velocity. In place.
layout(binding = 1) uniform sampler3D correction;  // [m/s], on coarse faces
layout(binding = 2) uniform sampler3D openness;
layout(binding = 3) uniform sampler3D velocityIn;  // [m/s], on fine faces
layout(binding = 4) uniform writeonly image3D velocityOut;

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec4 u = vec4(texelFetch(velocityIn, c, 0).xyz, 0.0);
    vec4 alpha = texelFetch(openness, c, 0);
    for (int axis = 0; axis < 3; ++axis) {
        if (!faceExists(c, axis)) u[axis] = 0.0;
        else if (alpha[axis] == 0.0) u[axis] = solidVelocity(c, axis);
        else u[axis] += upsampleFace(correction, c, axis);
    }
    imageStore(velocityOut, c, u);
}
