#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/field_view.h"
layout(local_size_x = 1) in;
// Limits of a view. The typical value of a field is sum v^2 / sum |v|: the empty part of the box does not count, and for a field that is
// constant where it is not 0, it is that constant. Colours reach to 2.5 times the typical value, if the maximum does. The few cells beyond
// have the last colour. Values that start at `base` have typical values and limits above it. Arrows reach to twice the typical speed.
// Limits are 1, 1.5, 2, 3, 5 or 7 times a power of ten. A limit stays while the value that it must cover is between 0.3 of it and itself,
// so that colours do not flicker in a film.
layout(binding = 1, scalar) readonly buffer Record { float record[]; };  // see view_range.comp
layout(binding = 2, scalar) buffer Limits { ViewLimits limits; };
layout(push_constant, scalar) uniform Push { LimitsPush push; };

float roundUp(float m) {
    float decade = pow(10.0, floor(log2(m) * 0.30102999566)), need = m * (1.0 - 1e-5);  // allows for the rounding error of pow
    const float steps[6] = float[6](1.0, 1.5, 2.0, 3.0, 5.0, 7.0);
    for (int i = 0; i < 6; ++i)
        if (steps[i] * decade >= need) return steps[i] * decade;
    return 10.0 * decade;
}

float limitFor(float m, float before) {
    if (!(m >= 1e-6)) return before > 0.0 ? before : 1.0;  // the field is empty: any limit is correct
    return m <= before && m > 0.3 * before ? before : roundUp(m);
}

void main() {
    if (push.fixedRange == 0) {
        limits.high = push.base + limitFor(min(record[6], 2.5 * record[1] / record[0]), limits.high - push.base);
        limits.low = push.isSigned == 1 ? -limits.high : push.base;
    }
    limits.speed = limitFor(2.0 * record[3] / record[2], limits.speed);
    limits.largest = push.base + record[6];
}
