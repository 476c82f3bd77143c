// SPDX-License-Identifier: MIT
// Converts the values of a field view to pixels. Needs shared/grid.glsl.
#include "shared/field_view.h"
#include "shared/srgb.glsl"
layout(binding = 3) uniform sampler3D values;
layout(binding = 4, scalar) readonly buffer Colours { vec3 colours[]; };  // at equal steps, linear
layout(binding = 5, scalar) readonly buffer Limits { ViewLimits limits; };
layout(binding = 6) uniform writeonly image2D radiance;  // rgb: linear colour; a: opacity of the field
layout(binding = 7) uniform writeonly image2D value;     // the value that the pixel shows, 0 if it shows none
layout(binding = 8, scalar) writeonly buffer Display { uint display[]; };
const vec3 kBackground = vec3(0.012);
const vec3 kSolid = vec3(0.16);

// Position of a value between the limits, 0 to 1.
float cellIndex(float v) { return clamp((v - limits.low) / (limits.high - limits.low), 0.0, 1.0); }

vec3 colourAt(float place) {
    float p = place * float(colours.length() - 1);
    int i = min(int(p), colours.length() - 2);
    return mix(colours[i], colours[i + 1], p - float(i));
}

void show(ivec2 pixel, ivec2 pixels, vec4 colour, float shown) {
    imageStore(radiance, pixel, colour);
    imageStore(value, pixel, vec4(shown));
    display[pixel.y * pixels.x + pixel.x] = displayWord(uvec3(srgb(clamp(colour.xyz, 0.0, 1.0)) * 255.0 + 0.5));
}
