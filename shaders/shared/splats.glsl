// SPDX-License-Identifier: MIT
// Draws splats that are a few samples wide. Needs shared/grid.glsl.
#include "shared/view.h"
#include "shared/splats.h"
#include "shared/velocity_anywhere.glsl"
layout(local_size_x = 128) in;
layout(binding = 1, scalar) uniform ViewBlock { ViewData view; };
layout(binding = 2) uniform sampler3D velocity;  // projected [m/s], on faces
layout(binding = 3, scalar) buffer Splats { uint splats[]; };
const int kLongest = 1024;  // maximum number of steps along a line; longer lines have gaps

vec3 velocityAt(vec3 p) {
    return vec3(componentAnywhere(velocity, p, 0), componentAnywhere(velocity, p, 1), componentAnywhere(velocity, p, 2));
}

// xy: position of the point x [m] in the image [samples]. z: its distance along the view axis [m], 0 or negative behind the eye.
vec3 projectToImage(vec3 x) {
    vec3 d = x - view.eye;
    float z = dot(d, view.forward);
    vec2 s = vec2(dot(d, view.right) / dot(view.right, view.right), -dot(d, view.up) / dot(view.up, view.up)) / z;
    return vec3(0.5 * float(WISP_SPLAT_SAMPLES) * (s + 1.0) * vec2(view.pixels), z);
}

// Samples per metre at distance z along the view axis [m].
float samplesPerMetre(float z) { return 0.5 * float(WISP_SPLAT_SAMPLES * view.pixels.y) * inversesqrt(dot(view.up, view.up)) / z; }

void putSample(ivec2 sampleAt, float z, uint colour) {
    ivec2 size = WISP_SPLAT_SAMPLES * view.pixels;
    if (any(lessThan(sampleAt, ivec2(0))) || any(greaterThanEqual(sampleAt, size))) return;
    atomicMin(splats[uint(sampleAt.y) * uint(size.x) + uint(sampleAt.x)], (floatBitsToUint(z) & ~WISP_SPLAT_BITS) | colour);
}

// Draws all samples whose centres lie in the disc, and the sample that contains the centre of the disc. Without that sample, small discs
// would flicker when they move.
void putDisc(vec3 at, float radius, uint colour) {
    if (!(at.z > 0.0)) return;  // behind the eye
    putSample(ivec2(floor(at.xy)), at.z, colour);
    if (radius <= 0.5) return;
    // Clamps to the picture before the conversion to int: near the eye, position and radius may exceed the range of int.
    vec2 end = vec2(WISP_SPLAT_SAMPLES * view.pixels);
    ivec2 first = ivec2(clamp(ceil(at.xy - radius - 0.5), vec2(0.0), end)),
        last = ivec2(clamp(floor(at.xy + radius - 0.5), vec2(-1.0), end - 1.0));
    for (int y = first.y; y <= last.y; ++y)
        for (int x = first.x; x <= last.x; ++x) {
            vec2 d = vec2(x, y) + 0.5 - at.xy;
            if (dot(d, d) <= radius * radius) putSample(ivec2(x, y), at.z, colour);
        }
}

bool isInPicture(vec3 at, float reach) {
    return at.z > 0.0 && all(greaterThan(at.xy, vec2(-reach))) && all(lessThan(at.xy, vec2(WISP_SPLAT_SAMPLES * view.pixels) + reach));
}
