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
#include "shared/splat_layer.glsl"
#include "shared/reflection.glsl"
#include "shared/diffuse_surface.glsl"
#include "shared/liquid/liquid_optics.glsl"
#include "shared/liquid/liquid_rays.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
// Radiance of a liquid towards the camera [W/(m^2 sr)]. The ray is followed through each surface that it meets: L += T F L(reflected),
// T *= (1 - F), with Fresnel's reflectance F and the direction by Snell's law. Inside the liquid, T *= exp(-absorption distance). After
// total internal reflection the ray continues inside. Only the first reflected ray is followed to diffuse surfaces. The others see the
// environment. Light on surfaces behind or below the liquid goes straight through it, attenuated by Beer's law. Walls of the box are not
// glass: the liquid ends there as in air.
layout(binding = 6) uniform writeonly image2D radiance;
layout(binding = 7) uniform writeonly image2D depth;

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, view.pixels))) return;
    LiquidSight s = look(vec2(pixel) + 0.5);
    imageStore(radiance, pixel, vec4(s.radiance, s.seen ? 1.0 : 0.0));
    imageStore(depth, pixel, vec4(s.seen ? s.depth : uintBitsToFloat(0x7f800000u)));
}
