#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/flat_view.h"
#include "shared/view.h"
#include "shared/solids.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
// A flat grid seen straight on, as a slab that scatters light from all directions once: L = (1 - exp(-tau)) a c J + exp(-tau) B, where tau
// of density 1 is given and c is the colour of the dye. `relief` tilts the surface of the slab by the slope of 1 - exp(-tau), so that light
// from the side makes the slope visible. The density is interpolated by a cubic B-spline (Sigg, Hadwiger 2005), because a bilinear
// interpolation shows the cells.
layout(binding = 1) uniform sampler3D scalars;
layout(binding = 2) uniform sampler3D smokeColour;     // density times colour
layout(binding = 12) uniform sampler3D solidDistance;  // [cells]
layout(binding = 5, scalar) uniform ViewBlock { ViewData view; };
layout(binding = 3) uniform writeonly image2D radiance;  // a = 1 - exp(-tau)
layout(binding = 4) uniform writeonly image2D value;     // density
layout(push_constant, scalar) uniform Push { FlatPush push; };
layout(constant_id = 10) const bool kHasColours = false;

// The 4x4 texels around p (in texels), by four fetches between them.
vec4 cubic(sampler3D field, vec2 p) {
    vec2 size = vec2(sim.scalarCells.xy), base = floor(p - 0.5) + 0.5, f = p - base, g = 1.0 - f;
    vec2 w0 = g * g * g / 6.0, w1 = 2.0 / 3.0 - 0.5 * f * f * (2.0 - f), w2 = 2.0 / 3.0 - 0.5 * g * g * (2.0 - g), w3 = f * f * f / 6.0;
    vec2 a = w0 + w1, b = w2 + w3, low = (base - 1.0 + w1 / a) / size, high = (base + 1.0 + w3 / b) / size;
    return a.y * (a.x * textureLod(field, vec3(low, 0.5), 0.0) + b.x * textureLod(field, vec3(high.x, low.y, 0.5), 0.0)) +
           b.y * (a.x * textureLod(field, vec3(low.x, high.y, 0.5), 0.0) + b.x * textureLod(field, vec3(high, 0.5), 0.0));
}

// 1 - exp(-tau) at x [m] of the box.
float seen(vec2 x) { return 1.0 - exp(-push.depth * max(cubic(scalars, x / sim.h * float(kScalarRatio)).x, 0.0)); }

// Light on the tilted surface, relative to a level one.
float shade(vec2 x) {
    if (push.relief == 0.0) return 1.0;
    float d = sim.h / float(kScalarRatio);
    vec2 slope = vec2(seen(x + vec2(d, 0.0)) - seen(x - vec2(d, 0.0)), seen(x + vec2(0.0, d)) - seen(x - vec2(0.0, d))) / (2.0 * d);
    return clamp(dot(normalize(vec3(-push.relief * slope, 1.0)), push.towards) / push.towards.z, 0.0, 2.0);
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, push.pixels))) return;
    vec2 x = push.corner + push.pixel * vec2(vec2(pixel) + 0.5) * vec2(1.0, -1.0) - sim.origin.xy, box = sim.h * vec2(sim.cells.xy);
    if (any(lessThan(x, vec2(0.0))) || any(greaterThan(x, box))) {
        imageStore(radiance, pixel, vec4(0.25 * push.background, 0.0));
        imageStore(value, pixel, vec4(0.0));
        return;
    }
    vec2 p = x / sim.h * float(kScalarRatio);
    float density = max(cubic(scalars, p).x, 0.0), taken = 1.0 - exp(-push.depth * density);
    vec3 colour = kHasColours ? clamp(cubic(smokeColour, p).rgb / max(density, 1e-6), 0.0, 1.0) : vec3(1.0);
    vec3 L = taken * push.albedo * colour * push.light * shade(x) + (1.0 - taken) * push.background;
    float outside = sim.obstacleCount == 0 ? 1.0
        : clamp(0.5 + textureLod(solidDistance, vec3(x / box, 0.5), 0.0).x * sim.h / push.pixel, 0.0, 1.0);
    if (outside < 1.0) {
        int nearest;
        obstacleDistance(vec3(x, 0.5 * sim.h) + sim.origin, nearest);
        L = mix(view.surfaces[nearest].colour * push.light, L, outside);
    }
    imageStore(radiance, pixel, vec4(L, mix(1.0, taken, outside)));
    imageStore(value, pixel, vec4(outside > 0.0 ? density : 0.0));
}
