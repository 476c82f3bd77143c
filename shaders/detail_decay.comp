#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/upsample.glsl"
// The fine velocity relaxes to the upsampled coarse one: u = U + (u - U) exp(-rate dt). In place.
layout(binding = 1) uniform sampler3D coarse;
layout(binding = 2) uniform sampler3D velocityIn;
layout(binding = 3) uniform writeonly image3D velocityOut;
layout(push_constant, scalar) uniform Push { float keep; };  // exp(-rate dt)

float upsampled(ivec3 c, int axis) {
    FinePlace place = finePlace(c);
    float low = onCoarseFace(coarse, texelFetch(coarse, place.C, 0), place.C, axis, place.offset);
    if (place.inside[axis] == 0) return low;
    ivec3 F = place.C + unit(axis);
    return mix(low, onCoarseFace(coarse, texelFetch(coarse, F, 0), F, axis, place.offset), between(place, axis));
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec4 u = texelFetch(velocityIn, c, 0);
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (faceExists(c, axis)) u[axis] = mix(upsampled(c, axis), u[axis], keep);
    }
    imageStore(velocityOut, c, u);
}
