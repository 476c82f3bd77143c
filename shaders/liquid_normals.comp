#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
// The distance made smooth, weights 1 2 1 along each axis, and its gradient over the same cells, central differences with those weights
// across: second order. Beyond the box the distance is as at its nearest cells.
layout(binding = 1) uniform sampler3D distanceIn;
layout(binding = 2) uniform writeonly image3D distanceOut;
layout(binding = 3) uniform writeonly image3D normalsOut;

void main() {
    ivec3 c = cell();
    if (outside(c, sim.scalarCells)) return;
    vec4 sum = vec4(0.0);
    for (int n = 0; n < rolled(27); ++n) {
        ivec3 o = ivec3(n % 3, (n / 3) % 3, n / 9) - 1;
        vec3 w = 0.5 - 0.25 * abs(vec3(o)), slope = 0.5 * vec3(o);
        sum += texelFetch(distanceIn, clamp(c + o, ivec3(0), sim.scalarCells - 1), 0).x * vec4(slope.x * w.y * w.z, w.x * slope.y * w.z, w.x * w.y * slope.z, w.x * w.y * w.z);
    }
    imageStore(distanceOut, c, vec4(sum.w));
    imageStore(normalsOut, c, vec4(sum.xyz, 0.0));
}
