// SPDX-License-Identifier: MIT
// Samples a velocity field of wisp in any program's shader: GLSL 4.60 for Vulkan, any stage. Needs wind.h beside it, and nothing else of
// wisp.
//
//  faces   a combined sampler3D (GLSL takes no others as arguments), rgba16f or rgba32f, (cells + 1) texels along each axis, linear filter,
// clamped to the edge. Texel (i, j, k) holds [m/s]
//           x, y and z of the velocity, each on another face of cell (i, j, k): in the middle of the one at its low x, low y and low z.
//   wind    where they lie, see wind.h
//   x       a place in the world [m]
//
// Trilinear between the faces of each component. Outside of the box is the air outside: within half a cell of a side, on both sides of it,
// the
// two are mixed, so that there is no step. Along periodic axes nothing is outside. NaN gives NaN, infinity the air outside.
#ifndef WISP_WIND_GLSL
#define WISP_WIND_GLSL
#include "wind.h"

// How a field is sampled at a texel coordinate. Define it before this file for other weights than the hardware's.
#ifndef WISP_WIND_SAMPLE
#define WISP_WIND_SAMPLE(faces, texel, perTexel) textureLod(faces, (texel) * (perTexel), 0.0)
#endif

// Velocity [m/s] of the field at p [cells from the box's low corner]; outside of the box that of the nearest place in it.
vec3 wispVelocityAt(sampler3D faces, WispWind wind, vec3 p) {
    // Faces of a component are whole numbers of cells apart from the box's side along its own axis; along the others they are in the
    // middle, and
    // there are none in the last texels. On periodic axes the last texels repeat the first ones.
    vec3 n = vec3(wind.cells);
    bvec3 endless = notEqual(wind.periodic & ivec3(1, 2, 4), ivec3(0));
    vec3 along = clamp(mix(p, mod(p, n), endless), vec3(0.0), n) + 0.5;
    vec3 across = mix(clamp(p, vec3(0.5), n - 0.5), clamp(mod(p - 0.5, n), vec3(0.0), n) + 0.5, endless);
    if (wind.cells.z == 1) along.z = across.z = 0.0;  // at the texture's edge: the second layer holds no faces
    vec3 perTexel = 1.0 / (n + 1.0);
    return vec3(WISP_WIND_SAMPLE(faces, vec3(along.x, across.yz), perTexel).x,
        WISP_WIND_SAMPLE(faces, vec3(across.x, along.y, across.z), perTexel).y,
                WISP_WIND_SAMPLE(faces, vec3(across.xy, along.z), perTexel).z);
}

vec3 wispWindAt(sampler3D faces, WispWind wind, vec3 x) {
    // By its bits: compilers may take it that isnan is never true.
    if (any(greaterThan(floatBitsToUint(x) & 0x7fffffffu, uvec3(0x7f800000u)))) return vec3(uintBitsToFloat(0x7fc00000u));
    vec3 n = vec3(wind.cells), p = (x - wind.origin) / wind.h;  // [cells]
    if (any(greaterThan(abs(p), vec3(1e30)))) return wind.ambient;

    bvec3 endless = notEqual(wind.periodic & ivec3(1, 2, 4), ivec3(0));
    vec3 beyond = mix(max(-p, p - n), vec3(-0.5), endless);
    if (wind.cells.z == 1) beyond.z = -0.5;
    float outside = clamp(0.5 + max(max(beyond.x, beyond.y), beyond.z), 0.0, 1.0);
    if (outside == 1.0) return wind.ambient;  // whatever has become of the field
    return mix(wispVelocityAt(faces, wind, p), wind.ambient, outside);
}
#endif
