#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/sampling.glsl"
// Where the fluid at each cell centre comes from and goes to within a step, as displacements [cells]: midpoint rule along the
// velocity at cell centres, second order. Everything that is advected shares these paths.
layout(binding = 1) uniform sampler3D centre;  // [m/s]
layout(binding = 2) uniform writeonly image3D backOut;
layout(binding = 3) uniform writeonly image3D aheadOut;

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    vec3 p = vec3(c) + 0.5;
    float s = sim.dt / sim.h;
    vec3 u = texelFetch(centre, c, 0).xyz;
    imageStore(backOut, c, vec4(-s * sampleLinear(centre, p - 0.5 * s * u).xyz, 0.0));
    imageStore(aheadOut, c, vec4(s * sampleLinear(centre, p + 0.5 * s * u).xyz, 0.0));
}
