#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/shapes.glsl"
#include "shared/shape_push.h"
// Density (x) and temperature (y): held at least at the emitter's value, or added at its rate, times a profile that rises
// smoothly from 0 at the surface to 1 two cells inside. Nothing in solid cells.
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 2) uniform writeonly image3D scalarsOut;
layout(binding = 3) uniform sampler3D openness;
layout(push_constant, scalar) uniform Push { ShapePush push; };

void main() {
    ivec3 c = push.first + cell();
    if (outside(c, sim.scalarCells)) return;
    vec3 x = worldPoint((vec3(c) + 0.5) / float(sim.scalarRatio));
    float profile = smoothstep(0.0, 2.0 * sim.h, -signedDistance(push.shape, x));
    if (profile == 0.0 || texelFetch(openness, c / sim.scalarRatio, 0).w == 0.0) return;
    vec4 s = texelFetch(scalarsIn, c, 0);
    if (push.density > 0.0) s.x = max(s.x, push.density * profile);
    if (push.temperature > 0.0) s.y = max(s.y, push.temperature * profile);
    if (push.temperature < 0.0) s.y = min(s.y, push.temperature * profile);
    s.x = max(s.x + push.densityRate * sim.dt * profile, 0.0);
    s.y += push.temperatureRate * sim.dt * profile;
    imageStore(scalarsOut, c, toStorage(s));
}
