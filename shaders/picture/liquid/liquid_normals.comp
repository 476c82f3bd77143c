#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
layout(local_size_x = 8, local_size_y = 8, local_size_z = 2) in;
#include "shared/liquid/liquid_picture.h"
// Smooths the distance with weights 1 2 1 along each axis, and computes its gradient over the same cells by central differences with the
// same weights across: second order. Beyond the box the distance is that of the nearest cells. A thread has a column along z, so that each
// plane across the column is read once for three cells. All values go through shared memory.
layout(binding = 1) uniform sampler3D distanceIn;
layout(binding = 2) uniform writeonly image3D distanceOut;
layout(binding = 3) uniform writeonly image3D normalsOut;
const ivec3 kTile = ivec3(10, 10, 2 * WISP_LIQUID_COLUMN + 2);  // cells of the group, and one cell around them
shared float tile[kTile.x * kTile.y * kTile.z];

// Gradient in the plane (xy) and mean (z) of the nine cells around an index of a plane.
vec3 planeAround(int place) {
    vec3 sum = vec3(0.0);
    for (int n = 0; n < noUnroll(9); ++n) {
        ivec2 o = ivec2(n % 3, n / 3) - 1;
        vec2 w = 0.5 - 0.25 * abs(vec2(o)), slope = 0.5 * vec2(o);
        sum += tile[place + o.y * kTile.x + o.x] * vec3(slope.x * w.y, w.x * slope.y, w.x * w.y);
    }
    return sum;
}

void main() {
    ivec3 group = ivec3(gl_WorkGroupID) * ivec3(8, 8, 2 * WISP_LIQUID_COLUMN),
        at = ivec3(gl_LocalInvocationID) * ivec3(1, 1, WISP_LIQUID_COLUMN);
    for (int n = int(gl_LocalInvocationIndex); n < kTile.x * kTile.y * kTile.z; n += 128) {
        ivec3 o = ivec3(n % kTile.x, (n / kTile.x) % kTile.y, n / (kTile.x * kTile.y)) - 1;
        tile[n] = texelFetch(distanceIn, clamp(group + o, ivec3(0), stepData.scalarCells - 1), 0).x;
    }
    barrier();
    int plane = kTile.x * kTile.y, place = at.z * plane + (at.y + 1) * kTile.x + at.x + 1;
    vec3 below = planeAround(place), here = planeAround(place + plane);
    for (int n = 0; n < noUnroll(WISP_LIQUID_COLUMN); ++n) {
        vec3 above = planeAround(place + (n + 2) * plane), mean = 0.25 * (below + above) + 0.5 * here;
        ivec3 c = group + at + ivec3(0, 0, n);
        if (!outside(c, stepData.scalarCells)) {
            imageStore(distanceOut, c, vec4(mean.z));
            imageStore(normalsOut, c, vec4(mean.xy, 0.5 * (above.z - below.z), 0.0));
        }
        below = here;
        here = above;
    }
}
