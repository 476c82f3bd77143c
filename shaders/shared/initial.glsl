// SPDX-License-Identifier: MIT
// Value of an initial field at a point. Needs shared/grid.glsl, shared/shapes.glsl. The pass receives the field as its push constants.
#include "shared/shape_push.h"
layout(binding = 15) uniform sampler2D initialImage;  // for WISP_FIELD_IMAGE: rgb = density times colour, a = density; row 0 is the bottom

// Offset from the low corner of the box [m]. Along periodic axes, that of the image in the box.
vec3 fromCorner(vec3 x) {
    vec3 d = x - sim.origin;
    return kPeriodic == 0 ? d : mix(d, mod(d, vec3(sim.cells) * sim.h), periodicAxes());
}

// Linear between the centres of texels, with exact weights; constant beyond the outermost centres. u: 0 to 1 across the image.
vec4 imageAt(vec2 u) {
    ivec2 last = textureSize(initialImage, 0) - 1;
    vec2 t = clamp(u * vec2(last + 1) - 0.5, vec2(0.0), vec2(last));
    ivec2 a = ivec2(t), b = min(a + 1, last);
    vec2 f = t - vec2(a);
    vec4 low = mix(texelFetch(initialImage, a, 0), texelFetch(initialImage, ivec2(b.x, a.y), 0), f.x);
    vec4 high = mix(texelFetch(initialImage, ivec2(a.x, b.y), 0), texelFetch(initialImage, b, 0), f.x);
    return mix(low, high, f.y);
}

// Initial field at a world position [m], inside the box or not: a = amount of the field's value, rgb = colour of its smoke. A shape is
// constant inside. A Gaussian is exp(-|x - centre|^2 / (2 radius^2)). Zalesak's disc is a cylinder along z with a slot of width radius / 3
// that is open towards -y. The squares of a checkerboard alternate between full and empty, full at the low corner. An image covers the box
// and is the same at every z.
vec4 amount(ShapePush push, vec3 x) {
    if (push.field == WISP_FIELD_IMAGE) {
        vec4 light = imageAt(fromCorner(x).xy / (vec2(sim.cells.xy) * sim.h));
        return vec4(push.colour * (light.a > 0.0 ? light.rgb / light.a : vec3(1.0)), light.a);
    }
    vec3 d = fromImage(x - push.shape.centre, 0);
    float r = push.shape.radius, a = 0.0;
    if (push.field == WISP_FIELD_CHECKERBOARD) {
        vec2 square = floor(fromCorner(x).xy / r);
        a = 1.0 - mod(square.x + square.y, 2.0);
    } else if (push.field == WISP_FIELD_GAUSSIAN) {
        a = exp(-dot(d, d) / (2.0 * r * r));
    } else if (push.field == WISP_FIELD_ZALESAK) {
        bool slot = abs(d.x) < r / 6.0 && d.y < 2.0 / 3.0 * r;
        a = length(d.xy) <= r && !slot ? 1.0 : 0.0;
    } else if (push.field == WISP_FIELD_SHAPE) {
        a = signedDistance(push.shape, x) <= 0.0 ? 1.0 : 0.0;
    }
    return vec4(push.colour, a);
}
