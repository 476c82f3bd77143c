#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/shapes.glsl"
#include "shared/initial.glsl"
// The exact density: an initial field at the ends of the backward paths of departure_points.comp, mixed over the existing values.
layout(binding = 1, scalar) readonly buffer Departures { vec4 departures[]; };
layout(binding = 2) uniform sampler3D exactIn;
layout(binding = 4) uniform writeonly image3D exactOut;
layout(push_constant, scalar) uniform Push { ShapePush push; };

void main() {
    ivec3 c = cell();
    if (outside(c, sim.scalarCells)) return;
    vec3 p = departures[cellIndex(c, sim.scalarCells)].xyz;
    if (beyondOpenSide(p)) return;
    float a = amount(push, worldPoint(p)).a;
    if (a > 0.0) imageStore(exactOut, c, vec4(mix(texelFetch(exactIn, c, 0).x, push.density, a)));
}
