#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/shapes.glsl"
#include "shared/initial.glsl"
// Value of an initial field at each of several points.
layout(binding = 1, scalar) readonly buffer Points { vec3 points[]; };
layout(binding = 2) uniform writeonly image3D amounts;
layout(push_constant, scalar) uniform Push { ShapePush push; };

void main() {
    ivec3 c = cell();
    if (!outside(c, imageSize(amounts))) imageStore(amounts, c, amount(push, points[c.x]));
}
