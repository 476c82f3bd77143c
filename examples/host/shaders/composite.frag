#version 460
// SPDX-License-Identifier: MIT
// The smoke of wisp over the picture of the host, then exposure, a tone curve and sRGB.
layout(binding = 2) uniform sampler2D own;    // linear radiance
layout(binding = 3) uniform sampler2D smoke;  // linear radiance times coverage, alpha is the coverage
layout(location = 0) out vec4 shown;

vec3 toneCurve(vec3 c) { return c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14); }  // fit of the ACES curve by Narkowicz
vec3 srgb(vec3 c) { return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, greaterThan(c, vec3(0.0031308))); }

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 over = texelFetch(smoke, pixel, 0);
    vec3 radiance = over.rgb + (1.0 - over.a) * texelFetch(own, pixel, 0).rgb;
    shown = vec4(srgb(clamp(toneCurve(0.6 * radiance), 0.0, 1.0)), 1.0);
}
