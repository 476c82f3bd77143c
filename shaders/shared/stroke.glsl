// SPDX-License-Identifier: MIT
// Contribution of a brush at x on a straight segment from a along e with the length l: the length of the segment, weighted by its Gaussian,
//   L(x) = integral_0^l exp(-|x - a - s e|^2 / (2 r^2)) ds
//        = r sqrt(pi/2) exp(-d^2 / (2 r^2)) (erf((l - t) / (sqrt(2) r)) + erf(t / (sqrt(2) r))),
// t = (x - a) e, d the distance from the line. The sum does not depend on how a stroke is divided into segments. Needs shared/shapes.glsl.
#include "shared/stroke.h"
layout(push_constant, scalar) uniform Push { StrokePush push; };

// Abramowitz and Stegun 7.1.26: error below 1.5e-7.
float erf(float x) {
    float t = 1.0 / (1.0 + 0.3275911 * abs(x));
    float p = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
    return sign(x) * (1.0 - p * exp(-x * x));
}

// [m]. Along periodic axes the nearest image counts.
float weightedLength(vec3 x) {
    float l = push.pathLength, r = push.radius;
    vec3 d = fromImage(x - push.from - 0.5 * l * push.along, 0) + 0.5 * l * push.along;
    float t = dot(d, push.along), s = 0.70710678 / r;
    vec3 across = d - t * push.along;
    return 1.2533141 * r * exp(-s * s * dot(across, across)) * (erf(s * (l - t)) + erf(s * t));
}
