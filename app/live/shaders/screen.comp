#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "shared/screen.h"
layout(local_size_x = 16, local_size_y = 16) in;
// The image in its part of a window, interpolated linearly where it has fewer pixels. The rest of the window is black.
layout(binding = 0, scalar) readonly buffer Picture { uint picture[]; };  // 0xAABBGGRR
layout(binding = 1, scalar) writeonly buffer Words { uint words[]; };
layout(push_constant, scalar) uniform Push { ScreenPush push; };

vec3 pixelAt(int x, int y) { return unpackUnorm4x8(picture[y * push.picture.x + x]).rgb; }

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, push.pixels))) return;
    ivec2 inside = pixel - push.corner;
    vec2 x = (vec2(inside) + 0.5) / vec2(push.area) * vec2(push.picture) - 0.5, f = fract(x);
    ivec2 low = ivec2(floor(x)), last = push.picture - 1, a = clamp(low, ivec2(0), last), b = clamp(low + 1, ivec2(0), last);
    vec3 c = mix(mix(pixelAt(a.x, a.y), pixelAt(b.x, a.y), f.x), mix(pixelAt(a.x, b.y), pixelAt(b.x, b.y), f.x), f.y);
    if (any(lessThan(inside, ivec2(0))) || any(greaterThanEqual(inside, push.area))) c = vec3(0.0);
    words[pixel.y * push.pixels.x + pixel.x] = packUnorm4x8(vec4(push.blueFirst != 0u ? c.bgr : c, 1.0));
}
