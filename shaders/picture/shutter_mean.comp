#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;
// Mean of the moments of a picture, in floats: mean += (moment - mean) / n for moment n. The depth is the mean of the moments' depths,
// weighted by their alpha, and infinite where nothing is seen at any moment.
layout(binding = 0) uniform sampler2D moment;
layout(binding = 1) uniform sampler2D momentDepth;
layout(binding = 2, rgba32f) uniform image2D mean;
layout(binding = 3, rg32f) uniform image2D meanDepth;  // mean of alpha times depth, and of alpha
layout(binding = 4) uniform writeonly image2D radiance;
layout(binding = 5) uniform writeonly image2D depth;
layout(push_constant, std430) uniform Push { int n; };  // from 1 on

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, imageSize(mean)))) return;
    vec4 now = texelFetch(moment, pixel, 0), m = n > 1 ? imageLoad(mean, pixel) : vec4(0.0);
    float way = texelFetch(momentDepth, pixel, 0).x;
    vec2 seen = isinf(way) ? vec2(0.0) : now.a * vec2(way, 1.0), d = n > 1 ? imageLoad(meanDepth, pixel).xy : vec2(0.0);
    m += (now - m) / float(n);
    d += (seen - d) / float(n);
    imageStore(mean, pixel, m);
    imageStore(meanDepth, pixel, vec4(d, 0.0, 0.0));
    imageStore(radiance, pixel, m);
    imageStore(depth, pixel, vec4(d.y > 0.0 ? d.x / d.y : uintBitsToFloat(0x7f800000u)));
}
