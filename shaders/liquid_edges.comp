#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/surface.glsl"
#include "shared/lights.glsl"
#include "shared/environment.glsl"
#include "shared/transmittance.glsl"
#include "shared/lit.glsl"
#include "shared/camera.glsl"
#include "shared/marked.glsl"
#include "shared/reflection.glsl"
#include "shared/matt.glsl"
#include "shared/liquid_optics.glsl"
#include "shared/liquid_rays.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
// Edges in a liquid's picture, of which one ray a pixel makes steps: a pixel that is much brighter or darker than a neighbour becomes the mean of its own ray and
// of four around it, a square turned so that each lies in a row and a column of its own. Everything else stays as it is.
layout(binding = 6) uniform writeonly image2D radiance;
layout(binding = 7) uniform sampler2D whole;  // one ray a pixel
const float kEdge = 0.08;  // of the display's range, about, from which on an edge is seen

// About what the display shows: L / (1 + L) of the exposed luminance.
float shown(ivec2 pixel) {
    float Y = view.exposure * dot(texelFetch(whole, clamp(pixel, ivec2(0), view.pixels - 1), 0).rgb, vec3(0.2126, 0.7152, 0.0722));
    return Y / (1.0 + Y);
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, view.pixels))) return;
    vec4 sum = texelFetch(whole, pixel, 0);
    float here = shown(pixel), most = 0.0;
    for (int n = 0; n < 4; ++n) most = max(most, abs(shown(pixel + (n < 2 ? ivec2(2 * n - 1, 0) : ivec2(0, 2 * n - 5))) - here));
    if (most > kEdge) {
        vec2 offset = vec2(0.375, 0.125);
        for (int n = 0; n < rolled(4); ++n, offset = vec2(-offset.y, offset.x)) {
            LiquidSight s = look(vec2(pixel) + 0.5 + offset);
            sum += vec4(s.radiance, s.seen ? 1.0 : 0.0);
        }
        sum /= 5.0;
    }
    imageStore(radiance, pixel, sum);
}
