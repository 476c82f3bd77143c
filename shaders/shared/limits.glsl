// SPDX-License-Identifier: MIT
// Limits the velocity [m/s] along each axis. After a time step that is far too long, the velocity stays a finite number, also in half
// precision. The limit is the largest velocity that a scene may ask for. NaN passes through, so that it is detected.
#include "shared/rounding.glsl"
const float kFastest = 1e4;
// No branch: with one, MacCormack's pass compiles to more registers on an H200 and is 10 % slower.
vec3 limited(vec3 u) { return mix(u, sign(u) * kFastest, greaterThan(abs(u), vec3(kFastest))); }
vec4 velocityToStorage(vec3 u) { return nearestHalf(vec4(limited(u), 0.0)); }
