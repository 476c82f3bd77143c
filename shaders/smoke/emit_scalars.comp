#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/shapes.glsl"
#include "shared/emitter.glsl"
// Density (x), temperature (y) and fuel (z, at most 1): raised to the emitter's value (lowered to it, if that is negative) and changed at
// its rate, times a profile that rises smoothly from 0 one cell outside the surface to 1 one cell inside. Nothing in solid cells.
layout(binding = 2) uniform writeonly image3D scalarsOut;

void main() {
    ivec3 c = push.first + cell();
    float profile = profileAt(c);
    if (profile == 0.0) return;
    vec4 s = texelFetch(scalarsIn, scalarTexel(c), 0);
    s.x = emittedDensity(s.x, profile);
    if (push.temperature > 0.0) s.y = max(s.y, push.temperature * profile);
    if (push.temperature < 0.0) s.y = min(s.y, push.temperature * profile);
    s.y += push.temperatureRate * sim.dt * profile;
    s.z = min(max(s.z, push.fuel * profile) + push.fuelRate * sim.dt * profile, 1.0);
    imageStore(scalarsOut, scalarTexel(c), toStorage(s));
}
