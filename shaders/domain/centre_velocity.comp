#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#include "shared/grid.glsl"
#include "shared/vectors.glsl"
// Velocity at cell centres [m/s], the mean of the two faces of each axis, for tracing paths. Second order.
layout(binding = 1) uniform sampler3D velocity;
layout(binding = 2) uniform writeonly image3D centreOut;
VECTORS_OUT(3, centreVectors);
layout(push_constant, scalar) uniform Push { VectorsOut centreVectorsAddress; };

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    vec3 u = texelFetch(velocity, texelOf(c), 0).xyz;
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) u[axis] += texelFetch(velocity, texelOf(c + unit(axis)), 0)[axis];
    imageStore(centreOut, texelOf(c), toStorage(vec4(0.5 * u, 0.0)));
    STORE(centreVectors, placeOf(c), vec4(0.5 * u, 0.0))
}
