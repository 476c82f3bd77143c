#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/sampling.glsl"
#include "shared/solids.glsl"
// Faces that obstacles close take the extrapolated velocity of the liquid, but the velocity of the solid along the normal: u -= n
// (n . (u - u_s)). Liquid therefore slides past obstacles and does not enter them (Batty, Bertails, Bridson 2007).
layout(binding = 1) uniform sampler3D velocityIn;
layout(binding = 2) uniform writeonly image3D velocityOut;
layout(binding = 3) uniform sampler3D aperture;
layout(binding = 4) uniform sampler3D solidDistance;
layout(push_constant, scalar) uniform Push { ivec3 first; };

float distanceAt(vec3 p) { return sampleLinear(solidDistance, p, sim.perCell).x; }

// The velocity vector at a face: the components of the other axes are the mean of the four faces around.
vec3 velocityAtFace(ivec3 c, int axis) {
    vec3 u;
    [[unroll]] for (int other = 0; other < 3; ++other) {
        float sum = 0.0;
        for (int n = 0; n < 4; ++n)
            sum += 0.25 * texelFetch(velocityIn, clamp(c + (n & 1) * unit(other) - (n >> 1) * unit(axis), ivec3(0), sim.cells), 0)[other];
        u[other] = other == axis ? texelFetch(velocityIn, c, 0)[axis] : sum;
    }
    return u;
}

void main() {
    ivec3 c = first + cell();
    if (outside(c, sim.cells + 1)) return;
    vec3 u = texelFetch(velocityIn, c, 0).xyz, alpha = texelFetch(aperture, c, 0).xyz;
    for (int axis = 0; axis < 3; ++axis) {
        if (alpha[axis] > 0.0 || !faceExists(c, axis) || sideOfFace(c, axis) >= 0) continue;
        vec3 p = facePoint(c, axis), gradient;
        for (int a = 0; a < 3; ++a) gradient[a] = distanceAt(p + 0.5 * vec3(unit(a))) - distanceAt(p - 0.5 * vec3(unit(a)));
        vec3 n = gradient / max(length(gradient), 1e-6);
        NearestObstacle o = nearestObstacle(worldPoint(p));
        vec3 solid = o.index < 0 ? vec3(0.0) : obstacleVelocity(o.index, o.r);
        u[axis] -= n[axis] * dot(velocityAtFace(c, axis) - solid, n);
    }
    imageStore(velocityOut, c, velocityToStorage(u));
}
