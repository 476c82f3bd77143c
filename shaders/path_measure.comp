#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// Sums over the picture: mean luminance, its squared deviations, path segments, samples cut short.
#include "shared/reduce.glsl"
layout(binding = 1) uniform sampler2D pathMean;
layout(binding = 2) uniform sampler2D pathSpread;
layout(push_constant, scalar) uniform Push { ivec3 pixels; };

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    ivec3 c = linearCell(pixels);
    if (c.z == 0) {
        vec4 spread = texelFetch(pathSpread, c.xy, 0);
        v[0] = dot(texelFetch(pathMean, c.xy, 0).rgb, vec3(0.2126, 0.7152, 0.0722));
        v[1] = max(spread.x, 0.0);
        v[2] = spread.y;
        v[3] = spread.z;
    }
    foldGroup(v);
}
