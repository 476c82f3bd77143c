// SPDX-License-Identifier: MIT
// Needs shared/volume.glsl.
#include "shared/depth_push.h"
// Their number is no bound of loops: lavapipe would make, and keep, a shader for all push constants of a dispatch.
layout(push_constant, scalar) uniform Push { DepthPush push; };
layout(binding = 3) uniform writeonly image3D depth;

vec3 middleOf(ivec3 c) { return (vec3(c) + 0.5) / vec3(view.skyCells); }

// Nothing comes through what is so deep, and halves hold the sum of two such.
void storeDepth(ivec3 c, vec4 D) { imageStore(depth, c, min(D, 1000.0)); }
