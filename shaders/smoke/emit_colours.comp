#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/shapes.glsl"
#include "shared/emitter.glsl"
// K = density times colour, before emit_scalars changes the density s to s': K' = s' c + (K - s c), so that smoke added by an emitter has
// the emitter's colour c. If the emitter sets a minimum density, the part of other colours, K - s c, fades by the emitter's profile:
// inside, all smoke has the emitter's colour.
layout(binding = 2) uniform writeonly image3D coloursOut;
layout(binding = 4) uniform sampler3D coloursIn;

void main() {
    ivec3 c = push.first + cell();
    float profile = profileAt(c);
    if (profile == 0.0) return;
    float s = texelFetch(scalarsIn, scalarTexel(c), 0).x, emitted = emittedDensity(s, profile);
    vec3 other = texelFetch(coloursIn, scalarTexel(c), 0).rgb - s * push.colour;
    if (push.density > 0.0) other *= 1.0 - profile;
    imageStore(coloursOut, scalarTexel(c), toStorage(vec4(emitted * push.colour + other, 0.0)));
}
