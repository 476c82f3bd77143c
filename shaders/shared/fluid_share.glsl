// SPDX-License-Identifier: MIT
// Which cells count in a sample of smoke next to solids. Needs shared/near_solid.glsl.
layout(binding = 5) uniform sampler3D apertureBefore;  // at the beginning of the step

bool holdsSmoke(ivec3 c) {  // c inside the grid
    return texelFetch(aperture, texelOf(c), 0).w > 0.0 || texelFetch(apertureBefore, texelOf(c), 0).w > 0.0;
}

// Where the sample for p is taken if sample n, at `from`, found no fluid: at half the distance, a quarter, an eighth, and at p.
vec3 nearer(vec3 p, vec3 from, int n) { return n < 3 ? 0.5 * (from + p) : p; }
