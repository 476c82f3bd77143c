#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/volume_source.h"
// Continues the velocity of a volume file beside the smoke: a cell without one takes the mean of the known ones among the 26 cells that are
// `stride` cells away along each axis, weighted by 1 / distance^2. With the strides 1, 2, 4, ... n passes reach 2^n - 1 cells.
layout(binding = 1) uniform sampler3D centreIn;
layout(binding = 2) uniform writeonly image3D centreOut;
layout(push_constant, scalar) uniform Push { SpreadPush push; };

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells) || !isStored(c)) return;
    vec4 u = texelFetch(centreIn, texelOf(c), 0), sum = vec4(0.0);
    for (int n = 0; n < (u.w == 0.0 ? 27 : 0); ++n) {
        ivec3 o = ivec3(n % 3, n / 3 % 3, n / 9) - 1, near = c + push.stride * o;
        if (n == 13 || outside(near, sim.cells) || !isStored(near)) continue;
        vec4 v = texelFetch(centreIn, texelOf(near), 0);
        sum += v.w / float(dot(o, o)) * vec4(v.xyz, 1.0);
    }
    if (sum.w > 0.0) u = vec4(velocityToStorage(sum.xyz / sum.w).xyz, 1.0);
    imageStore(centreOut, texelOf(c), u);
}
