// SPDX-License-Identifier: MIT
// Trilinear sampling at a continuous texel coordinate; the centre of texel i is at i + 1/2. Beyond the edges the field repeats on periodic
// axes (samplers do the same) and is clamped on others.
#ifndef WISP_SAMPLING_GLSL
#define WISP_SAMPLING_GLSL
#include "shared/periodic.glsl"
#include "shared/flat.glsl"
layout(constant_id = 0) const bool kExactFilter = false;

// Filters with full float weights: hardware weights have 8 bits of fraction and differ between vendors.
vec4 sampleExactly(sampler3D field, vec3 texel) {
    ivec3 size = textureSize(field, 0);
    vec3 t = texel - 0.5;
    ivec3 base = ivec3(floor(t));
    vec3 f = t - vec3(base);
    vec4 sum = vec4(0.0);
    for (int n = 0; n < kCorners; ++n) {
        ivec3 o = ivec3(n & 1, (n >> 1) & 1, n >> 2);
        vec3 w = mix(vec3(1.0) - f, f, vec3(o));
        sum += w.x * w.y * w.z * texelFetch(field, inGrid(base + o, size), 0);
    }
    return sum;
}

// `perTexel` = 1 / size of the field. Querying the size of the texture costs as much as a fetch.
vec4 sampleLinear(sampler3D field, vec3 texel, vec3 perTexel) {
    return kExactFilter ? sampleExactly(field, texel) : textureLod(field, texel * perTexel, 0.0);
}
#endif
