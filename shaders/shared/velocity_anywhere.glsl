// SPDX-License-Identifier: MIT
// The velocity [m/s] between steps, at any point of the box. A sparse simulation has the fine velocity in active bricks. Elsewhere the
// coarse velocity is taken. The halo does not count: cells far from active bricks are old there. Needs shared/grid.glsl.
#ifndef WISP_VELOCITY_ANYWHERE_GLSL
#define WISP_VELOCITY_ANYWHERE_GLSL
#include "shared/velocity.glsl"
layout(binding = 25) uniform sampler3D coarseVelocity;  // on coarse faces, at the same time as the fine velocity; read if sparse

// Whether the fine velocity is taken in cell or face texel c, and around a continuous texel coordinate.
bool isFine(ivec3 c) { return !kSparse || isActive(clamp(c, ivec3(0), sim.cells - 1), 1); }
bool isFine(vec3 texel) { return !kSparse || isFine(ivec3(texel)); }

// The coarse velocity at p [cells], trilinear.
float coarseComponent(vec3 p, int axis) {
    vec3 P = p / float(kRatio), size = vec3(sim.pressureCells), t = clamp(P, vec3(0.5), size - 0.5);
    t[axis] = P[axis] + 0.5;
    return sampleLinear(coarseVelocity, t, 1.0 / (size + 1.0))[axis];
}
vec3 coarseAt(vec3 p) { return vec3(coarseComponent(p, 0), coarseComponent(p, 1), coarseComponent(p, 2)); }

// Its curl [1/s], by central differences over two coarse cells.
vec3 coarseChange(vec3 p, int axis) {
    vec3 way = float(kRatio) * vec3(unit(axis));
    return coarseAt(p + way) - coarseAt(p - way);
}
vec3 coarseCurl(vec3 p) {
    vec3 dx = coarseChange(p, 0), dy = coarseChange(p, 1), dz = coarseChange(p, 2);
    return vec3(dy.z - dz.y, dz.x - dx.z, dx.y - dy.x) * (0.5 / (float(kRatio) * sim.h));
}

// One component at p [cells].
float componentAnywhere(sampler3D velocity, vec3 p, int axis) {
    if (isFine(faceTexel(p, axis))) return sampleFaces(velocity, faceTexel(p, axis))[axis];
    return coarseComponent(p, axis);
}

// Sample of a sparse simulation at a texel coordinate of a field on faces. Component `axis` belongs to the point half a cell below it along
// that axis.
vec4 facesAnywhere(sampler3D velocity, vec3 texel, bool exactly) {
    if (isFine(texel)) return exactly ? samplePartsExactly(velocity, texel, sim.cells + 1, false) : sampleFaces(velocity, texel);
    vec4 u = vec4(0.0);
    [[unroll]] for (int axis = 0; axis < 3; ++axis) u[axis] = coarseComponent(texel - 0.5 * vec3(unit(axis)), axis);
    return u;
}

// The velocity at cell centres, `centre`: of cell c, and of a sparse simulation at p [cells].
vec3 centreOf(sampler3D centre, ivec3 c) {
    if (isFine(c)) return texelFetch(centre, texelOf(c), 0).xyz;
    return coarseAt(vec3(c) + 0.5);
}
vec3 centreAnywhere(sampler3D centre, vec3 p) {
    if (isFine(p)) return sampleCells(centre, p).xyz;
    return coarseAt(p);
}
#endif
