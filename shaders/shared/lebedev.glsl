// SPDX-License-Identifier: MIT
#include "shared/ordinates.h"
// Lebedev's rule of degree 5: six directions along the axes, eight along the diagonals of a cube.
vec3 ordinate(int k) {
    if (k < 6) return vec3(ivec3(equal(ivec3(k / 2), ivec3(0, 1, 2))) * ((k & 1) * 2 - 1));
    int n = k - 6;
    return inversesqrt(3.0) * vec3(ivec3(n & 1, (n >> 1) & 1, n >> 2) * 2 - 1);
}
float ordinateWeight(int k) { return k < 6 ? 1.0 / 15.0 : 3.0 / 40.0; }
