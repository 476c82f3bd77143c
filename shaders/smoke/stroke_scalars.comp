#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/shapes.glsl"
#include "shared/stroke.glsl"
// Adds a stroke to density, temperature and fuel, or to density times colour: s += amount L; nothing in solid cells. Fuel stays a share of
// the gas. In place.
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 2) uniform writeonly image3D scalarsOut;
layout(binding = 3) uniform sampler3D aperture;

void main() {
    ivec3 c = push.first + cell();
    if (outside(c, sim.scalarCells) || !isSmokeStored(c) || texelFetch(aperture, texelOf(c / kScalarRatio), 0).w == 0.0) return;
    ivec3 texel = scalarTexel(c);
    vec4 s = texelFetch(scalarsIn, texel, 0) + push.amount * weightedLength(worldPoint(scalarPoint(c)));
    s.z = min(s.z, push.mostZ);
    imageStore(scalarsOut, texel, toStorage(s));
}
