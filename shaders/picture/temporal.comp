#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/temporal.h"
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 1, scalar) uniform ViewBlock { ViewData view; };
#include "shared/camera.glsl"
// Mean of the current frame and previous frames, whose steps began at other offsets: mean = H + (C - H) / n. C is the current frame. H is
// the history at the position where the previous camera saw the pixel's mean depth. It is clamped to the box of the 3x3 pixels around C in
// YCoCg (Karis 2014), which prevents ghosting. n counts frames, up to WISP_HISTORY. It restarts where H shows a different object.
layout(binding = 2) uniform sampler2D picture;
layout(binding = 3) uniform sampler2D depth;
layout(binding = 4) uniform sampler2D meanIn;
layout(binding = 5) uniform sampler2D knownIn;  // depth [m] and n of meanIn
layout(binding = 6) uniform writeonly image2D meanOut;
layout(binding = 7) uniform writeonly image2D knownOut;
layout(binding = 8) uniform writeonly image2D radiance;
layout(push_constant, scalar) uniform Push { TemporalPush push; };

vec4 toYCoCg(vec4 c) { return vec4(dot(c.xyz, vec3(0.25, 0.5, 0.25)), 0.5 * (c.x - c.z), dot(c.xyz, vec3(-0.25, 0.5, -0.25)), c.w); }
vec4 fromYCoCg(vec4 c) { return max(vec4(c.x - c.z + c.y, c.x + c.z, c.x - c.z - c.y, c.w), 0.0); }

// Where the previous camera saw the point at depth z in the pixel: position in its image, and depth. Behind the camera the depth is
// negative.
vec3 reprojected(ivec2 pixel, float z) {
    vec3 ray = cameraRay(vec2(pixel) + 0.5);
    vec3 to = isinf(z) ? ray : view.eye - push.eye + z / dot(ray, view.forward) * ray;
    float along = dot(to, push.forward);
    vec2 s = vec2(dot(to, push.right) / dot(push.right, push.right), -dot(to, push.up) / dot(push.up, push.up)) / along;
    return vec3((0.5 * s + 0.5) * vec2(view.pixels), isinf(z) ? sign(along) * z : along);
}

// The history at `place`, by Catmull and Rom's cubic: a linear filter would blur more in every frame. A position almost at the centre of a
// pixel takes that pixel, so that one fetch is enough while the camera rests.
vec4 history(vec2 place) {
    vec2 at = floor(place), f = place - 0.5;
    if (all(lessThan(abs(place - at - 0.5), vec2(1.0 / 256.0)))) return texelFetch(meanIn, ivec2(at), 0);
    at = floor(f);
    f -= at;
    vec2 w[4] = vec2[4](f * (f * (1.0 - 0.5 * f) - 0.5), 1.0 + f * f * (1.5 * f - 2.5), f * (0.5 + f * (2.0 - 1.5 * f)),
        0.5 * f * f * (f - 1.0));
    vec4 sum = vec4(0.0);
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i)
            sum += w[i].x * w[j].y * texelFetch(meanIn, clamp(ivec2(at) + ivec2(i, j) - 1, ivec2(0), view.pixels - 1), 0);
    return sum;
}

// Number of frames in the history at `place`, if it shows the object at depth z; otherwise 0.
float historyLength(vec2 place, float z) {
    if (push.first != 0 || !(z > 0.0) || any(lessThan(place, vec2(0.0))) || any(greaterThanEqual(place, vec2(view.pixels)))) return 0.0;
    vec2 was = texelFetch(knownIn, ivec2(place), 0).xy;
    bool same = isinf(z) || isinf(was.x) ? z == was.x : abs(z - was.x) <= WISP_DEPTH_CHANGE * z;
    return same ? was.y : 0.0;
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, view.pixels))) return;
    vec4 C = texelFetch(picture, pixel, 0);
    float z = texelFetch(depth, pixel, 0).x;
    vec3 place = reprojected(pixel, z);
    float n = min(historyLength(place.xy, place.z) + 1.0, WISP_HISTORY);
    vec4 mean = C;
    if (n > 1.0) {
        vec4 low = toYCoCg(C), high = low;
        for (int i = 0; i < 9; ++i) {
            vec4 c = toYCoCg(texelFetch(picture, clamp(pixel + ivec2(i % 3, i / 3) - 1, ivec2(0), view.pixels - 1), 0));
            low = min(low, c);
            high = max(high, c);
        }
        vec4 H = fromYCoCg(clamp(toYCoCg(history(place.xy)), low, high));
        mean = mix(H, C, 1.0 / n);
    }
    imageStore(meanOut, pixel, mean);
    imageStore(knownOut, pixel, vec4(z, n, 0.0, 0.0));
    imageStore(radiance, pixel, mean);
}
