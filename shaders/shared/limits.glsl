// SPDX-License-Identifier: MIT
// No air is faster [m/s] along any axis: what forces make of a step that is far too long stays a number, in halves too. It is
// the fastest that a scene may ask for. NaN passes through, so that it is found.
#include "shared/rounding.glsl"
const float kFastest = 1e4;
// Without a branch, for which an H200 compiles MacCormack's pass with more registers and a tenth slower.
vec3 limited(vec3 u) { return mix(u, sign(u) * kFastest, greaterThan(abs(u), vec3(kFastest))); }
vec4 velocityToStorage(vec3 u) { return nearestHalf(vec4(limited(u), 0.0)); }
