// SPDX-License-Identifier: MIT
// What an initial field puts at a point. Needs shared/grid.glsl, shared/shapes.glsl; a pass gets the field as its push constants.
#include "shared/shape_push.h"
layout(binding = 15) uniform sampler2D initialImage;  // of WISP_FIELD_IMAGE: rgb density times colour, a density; row 0 is the bottom

// Way from the low corner of the box [m]; along periodic axes that of the image in it.
vec3 fromCorner(vec3 x) {
    vec3 d = x - sim.origin;
    return kPeriodic == 0 ? d : mix(d, mod(d, vec3(sim.cells) * sim.h), periodicAxes());
}

// Linear between the middles of texels, by exact weights; beyond those of the outermost ones as there. u: 0 to 1 across the image.
vec4 imageAt(vec2 u) {
    ivec2 last = textureSize(initialImage, 0) - 1;
    vec2 t = clamp(u * vec2(last + 1) - 0.5, vec2(0.0), vec2(last));
    ivec2 a = ivec2(t), b = min(a + 1, last);
    vec2 f = t - vec2(a);
    vec4 low = mix(texelFetch(initialImage, a, 0), texelFetch(initialImage, ivec2(b.x, a.y), 0), f.x);
    vec4 high = mix(texelFetch(initialImage, ivec2(a.x, b.y), 0), texelFetch(initialImage, b, 0), f.x);
    return mix(low, high, f.y);
}

// At a point of the world [m], in the box or not: a = how much of the field's value there is, rgb = the colour of its smoke. Constant
// inside a shape; a Gaussian exp(-|x - centre|^2 / (2 radius^2)); Zalesak's disc: a cylinder along z with a slot of width radius / 3
// open towards -y; squares in turn full and empty, full at the low corner; an image over the box, the same at every z.
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
