#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/velocity.glsl"
#include "shared/clamping.glsl"
#include "shared/near_solid.glsl"
// MacCormack for density and temperature, as advect_velocity_correct.comp.
layout(binding = 1) uniform sampler3D velocity;  // projected [m/s]
layout(binding = 3) uniform sampler3D scalarsIn;
layout(binding = 4) uniform sampler3D forward;   // advect_scalars' result
layout(binding = 5) uniform writeonly image3D scalarsOut;
layout(push_constant, scalar) uniform Push { vec4 keep; int clamped; };

vec4 corrected(ivec3 c) {
    vec4 value = texelFetch(forward, c, 0);
    float s = float(sim.scalarRatio);
    vec3 p = (vec3(c) + 0.5) / s;
    vec3 from = trace(velocity, p, -1.0), to = trace(velocity, p, 1.0);
    vec3 size = vec3(sim.cells);
    if (any(lessThan(min(from, to), vec3(0.0))) || any(greaterThan(max(from, to), size))) return value;
    if (nearSolid(p) || nearSolid(from) || nearSolid(to)) return value;
    value += 0.5 * (texelFetch(scalarsIn, c, 0) - sampleLinear(forward, to * s));
    if (clamped == 0) return value;
    vec4 low, high;
    bounds(scalarsIn, from * s, low, high);
    return clamp(value, low, high);
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.scalarCells)) return;
    imageStore(scalarsOut, c, keep * corrected(c));
}
