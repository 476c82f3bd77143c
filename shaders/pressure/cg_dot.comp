#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/reduce.glsl"
// Sum of z w, for the component of the new z along the last direction.
layout(binding = 1, scalar) readonly buffer Preconditioned { float preconditioned[]; };
layout(binding = 2, scalar) readonly buffer Applied { float applied[]; };
layout(push_constant, scalar) uniform Push { int count; };

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (int i = firstValue(); i < noUnroll(count); i += nextValue()) v[0] += preconditioned[i] * applied[i];
    reduceGroup(v);
}
