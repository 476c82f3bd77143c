// SPDX-License-Identifier: MIT
// Needs shared/volume.glsl.
#include "shared/depth_push.h"
// The number of directions is not a loop bound: lavapipe would compile and keep a shader variant for all push constants of a dispatch.
layout(push_constant, scalar) uniform Push { DepthPush push; };
layout(binding = 3) uniform writeonly image3D depth;

vec3 middleOf(ivec3 c) { return (vec3(c) + 0.5) / vec3(view.skyCells); }

// No light passes a larger depth, and a half can store the sum of two such depths.
void storeDepth(ivec3 c, vec4 D) { imageStore(depth, c, min(D, 1000.0)); }
