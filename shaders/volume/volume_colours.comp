#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/volume_source.glsl"
// K = density times colour, before volume_scalars changes the density s to s': K' = K + (s' - s) c. Smoke that the volume adds has the
// colour c of its source.
layout(binding = 2) uniform writeonly image3D coloursOut;
layout(binding = 4) uniform sampler3D coloursIn;

void main() {
    ivec3 c = push.first + cell();
    float v = volumeIn(c).x, s = texelFetch(scalarsIn, scalarTexel(c), 0).x;
    if (v == 0.0) return;
    vec3 K = texelFetch(coloursIn, scalarTexel(c), 0).rgb;
    imageStore(coloursOut, scalarTexel(c), toStorage(vec4(K + (withVolume(s, v) - s) * push.colour, 0.0)));
}
