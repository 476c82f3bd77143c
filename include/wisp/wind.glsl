// SPDX-License-Identifier: MIT
// Samples a velocity field of wisp in a shader of any program: GLSL 4.60 for Vulkan, any stage. Needs only wind.h in the same folder.
//
//   faces   a combined sampler3D (GLSL allows no other samplers as arguments), rgba16f or rgba32f, (cells + 1) texels along each axis,
//           linear filter, clamp to edge. Texel (i, j, k) stores the velocity [m/s] at the centres of three faces of cell (i, j, k):
//           x at its low-x face, y at its low-y face, z at its low-z face.
//   wind    position and size of the grid, see wind.h
//   x       world position [m]
//
// Each component is interpolated trilinearly between its faces. Outside the box, the result is the ambient flow. Within half a cell of a
// side, on both sides of it, the two are blended, so that the result is continuous. Periodic axes have no outside. NaN returns NaN, and
// infinity returns the ambient flow.
#ifndef WISP_WIND_GLSL
#define WISP_WIND_GLSL
#include "wind.h"

// Samples the field at a texel coordinate. Define it before including this file to replace the filter weights of the hardware.
#ifndef WISP_WIND_SAMPLE
#define WISP_WIND_SAMPLE(faces, texel, perTexel) textureLod(faces, (texel) * (perTexel), 0.0)
#endif

// Velocity [m/s] of the field at p [cells from the low corner of the box]. Outside the box: the velocity at the nearest point of the box.
vec3 wispVelocityAt(sampler3D faces, WispWind wind, vec3 p) {
    // Along its own axis, a component's faces lie at whole numbers of cells from the side of the box. Along the other axes they lie at cell
    // centres, and the last texels hold no faces. On periodic axes the last texels repeat the first ones.
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
    // Tests the bits: compilers may assume that isnan is always false.
    if (any(greaterThan(floatBitsToUint(x) & 0x7fffffffu, uvec3(0x7f800000u)))) return vec3(uintBitsToFloat(0x7fc00000u));
    vec3 n = vec3(wind.cells), p = (x - wind.origin) / wind.h;  // [cells]
    if (any(greaterThan(abs(p), vec3(1e30)))) return wind.ambient;

    bvec3 endless = notEqual(wind.periodic & ivec3(1, 2, 4), ivec3(0));
    vec3 beyond = mix(max(-p, p - n), vec3(-0.5), endless);
    if (wind.cells.z == 1) beyond.z = -0.5;
    float outside = clamp(0.5 + max(max(beyond.x, beyond.y), beyond.z), 0.0, 1.0);
    if (outside == 1.0) return wind.ambient;  // even if the field contains NaN
    return mix(wispVelocityAt(faces, wind, p), wind.ambient, outside);
}
#endif
