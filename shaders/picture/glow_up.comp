#version 460
// SPDX-License-Identifier: MIT
layout(local_size_x = 8, local_size_y = 8) in;
// Adds the glow of the next coarser image: finer += weight * its mean over a tent of 3x3 texels. In place.
layout(binding = 1) uniform sampler2D coarser;
layout(binding = 2) uniform sampler2D finerIn;
layout(binding = 3) uniform writeonly image2D finerOut;
layout(push_constant) uniform Push { float weight; };

void main() {
    ivec2 c = ivec2(gl_GlobalInvocationID.xy), size = textureSize(finerIn, 0);
    if (any(greaterThanEqual(c, size))) return;
    vec2 texel = 1.0 / vec2(textureSize(coarser, 0)), at = (vec2(c) + 0.5) * 0.5 * texel;
    vec3 sum = vec3(0.0);
    for (int n = 0; n < 9; ++n) {
        ivec2 o = ivec2(n % 3, n / 3) - 1;
        sum += float((2 - abs(o.x)) * (2 - abs(o.y))) / 16.0 * textureLod(coarser, at + vec2(o) * texel, 0.0).rgb;
    }
    vec4 own = texelFetch(finerIn, c, 0);
    imageStore(finerOut, c, vec4(own.rgb + weight * sum, own.a));
}
