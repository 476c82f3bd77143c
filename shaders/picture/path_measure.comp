#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
// Sums over the image, or over pixels in which a camera ray has met something: mean luminance, its squared deviations, path segments,
// truncated samples, number of pixels.
#include "shared/reduce.glsl"
layout(binding = 1) uniform sampler2D pathMean;
layout(binding = 2) uniform sampler2D pathMoments;
layout(push_constant, scalar) uniform Push { ivec3 pixels; int metOnly; };

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    ivec3 c = linearCell(pixels);
    if (c.z == 0) {
        vec4 mean = texelFetch(pathMean, c.xy, 0), spread = texelFetch(pathMoments, c.xy, 0);
        if (metOnly == 0 || mean.a > 0.0)
            v = float[8](dot(mean.rgb, vec3(0.2126, 0.7152, 0.0722)), max(spread.x, 0.0), spread.y, spread.z, 1.0, 0.0, 0.0, 0.0);
    }
    reduceGroup(v);
}
