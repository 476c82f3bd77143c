#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/upsample.glsl"
// Adds the coarse correction to the fine velocity, so that fine detail survives (Lentine, Zheng, Fedkiw 2010, eq. 14).
// Around solids the fine velocity is the coarse one instead: on a coarse face that is partly closed nothing would hold the
// detail of its slivers in check. Closed faces are left to solid_faces.comp.
layout(binding = 1) uniform sampler3D correction;  // [m/s], on coarse faces, see pressure_gradient.comp
layout(binding = 2) uniform sampler3D openness;
layout(binding = 3) uniform sampler3D velocityIn;  // [m/s], on fine faces
layout(binding = 4) uniform writeonly image3D velocityOut;

// The new velocity of the fine face that lies on coarse face F (texel `coarse`) at the tangential place of face c.
float newOnCoarseFace(vec4 coarse, float value, ivec3 F, ivec3 c, int axis) {
    if (!whollyOpen(coarse, axis)) return value;
    c[axis] = min(F[axis] * sim.ratio, sim.cells[axis]);
    return texelFetch(velocityIn, c, 0)[axis] + value;
}

float projected(ivec3 c, FinePlace place, vec4 below, float u, float alpha, int axis) {
    float low = onCoarseFace(correction, below, place.C, axis, place.offset);
    if (place.inside[axis] == 0) return whollyOpen(below, axis) ? u + low : low;
    ivec3 F = place.C + unit(axis);
    vec4 above = texelFetch(correction, F, 0);
    float high = onCoarseFace(correction, above, F, axis, place.offset), t = between(place, axis);
    if (alpha == 1.0 && whollyOpen(below, axis) && whollyOpen(above, axis)) return u + mix(low, high, t);
    return mix(newOnCoarseFace(below, low, place.C, c, axis), newOnCoarseFace(above, high, F, c, axis), t);
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec4 u = texelFetch(velocityIn, c, 0), alpha = texelFetch(openness, c, 0);
    FinePlace place = finePlace(c);
    vec4 below = texelFetch(correction, place.C, 0);
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (!faceExists(c, axis)) u[axis] = 0.0;
        else if (alpha[axis] > 0.0) u[axis] = projected(c, place, below, u[axis], alpha[axis], axis);
    }
    imageStore(velocityOut, c, u);
}
