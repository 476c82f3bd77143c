#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/noise.glsl"
#include "shared/scroll.h"
// Velocity where the box has come to: on faces that were in it as it was, bit for bit; what enters moves as the air outside does, with gusts.
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { ScrollPush push; };

vec3 windAt(vec3 x) { return push.gust == 0.0 ? push.wind : push.wind + push.gust * smoothNoise(x / push.gustScale, ivec3(0), push.seed); }

void main() {
    ivec3 c = cell(), from = c + push.shift;
    if (outside(c, sim.cells + 1)) return;
    vec3 u = vec3(0.0);
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        if (!faceExists(c, axis)) continue;
        u[axis] = faceExists(from, axis) ? texelFetch(velocityIn, from, 0)[axis] : windAt(worldPoint(facePoint(c, axis)))[axis];
    }
    imageStore(velocityOut, c, velocityToStorage(u));
}
