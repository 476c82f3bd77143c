// SPDX-License-Identifier: MIT
// No air is faster [m/s] along any axis: what forces make of a step that is far too long stays a number, in halves too. It is
// the fastest that a scene may ask for. NaN passes through, so that it is found.
#include "shared/rounding.glsl"
const float kFastest = 1e4;
vec3 limited(vec3 u) {
    if (max(abs(u.x), max(abs(u.y), abs(u.z))) > kFastest) u = mix(u, sign(u) * kFastest, greaterThan(abs(u), vec3(kFastest)));
    return u;
}
// A velocity as it is stored. One that is cut off would lose a thousandth of its energy in every step; where stores round, rounding here would make
// MacCormack's pass a tenth slower.
layout(constant_id = 18) const bool kCutsOff = false;
vec4 velocityToStorage(vec3 u) { return kCutsOff ? nearestHalf(vec4(limited(u), 0.0)) : vec4(limited(u), 0.0); }
