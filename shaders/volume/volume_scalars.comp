#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/volume_source.glsl"
// Density (x), temperature (y) and fuel (z, at most 1) of a volume file, times the factors of its source: fields are raised to them, and
// changed at their rates.
layout(binding = 2) uniform writeonly image3D scalarsOut;

void main() {
    ivec3 c = push.first + cell();
    vec3 v = volumeIn(c);
    if (v == vec3(0.0)) return;
    vec4 s = texelFetch(scalarsIn, scalarTexel(c), 0);
    s.x = withVolume(s.x, v.x);
    if (push.temperature * v.y != 0.0) s.y = v.y > 0.0 ? max(s.y, push.temperature * v.y) : min(s.y, push.temperature * v.y);
    s.y += push.temperatureRate * sim.dt * v.y;
    s.z = min(max(s.z, push.fuel * v.z) + push.fuelRate * sim.dt * v.z, 1.0);
    imageStore(scalarsOut, scalarTexel(c), toStorage(s));
}
