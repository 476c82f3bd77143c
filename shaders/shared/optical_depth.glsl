// SPDX-License-Identifier: MIT
// Needs shared/depth_along.glsl.
#include "shared/depth_push.h"
#include "shared/lit_cell.glsl"
// The number of directions is not a loop bound: lavapipe would compile and keep a shader variant for all push constants of a dispatch.
layout(push_constant, scalar) uniform Push { DepthPush push; };
layout(binding = 3) uniform writeonly image3D depth;

vec3 middleOf(ivec3 c) { return (vec3(c) + 0.5) / vec3(skyCells()); }

// A step in edges of the lit part, and its length [m].
vec4 segment(int n) {
    return kSparse ? lightWindow.scale * vec4(push.steps[n].xyz * boxSize() / litSize(), push.steps[n].w) : push.steps[n];
}

// No light passes a larger depth, and a half can store the sum of two such depths.
void storeDepth(ivec3 c, vec4 D) { imageStore(depth, c, min(D, 1000.0)); }
