#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/shapes.glsl"
#include "shared/liquid/liquid.glsl"
// Particles inside a shape take its velocity, which is the same everywhere in it: that of an emitter or of an initial shape.
layout(binding = 1, scalar) readonly buffer Positions { vec4 positions[]; };
layout(binding = 2, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(binding = 3, scalar) writeonly buffer VelocitiesOut { vec4 velocitiesOut[]; };
layout(binding = 4, scalar) writeonly buffer GradientsOut { vec4 gradientsOut[]; };  // only with APIC
layout(push_constant, scalar) uniform Push { LiquidSetVelocity push; };

void main() {
    ivec3 c = push.first + cell();
    if (outside(c, sim.cells)) return;
    uint index = cellIndex(c, sim.cells);
    for (uint n = cellFirst[index]; n < cellFirst[index + 1u]; ++n) {
        if (signedDistance(push.shape, worldPoint(positions[n].xyz)) > 0.0) continue;
        velocitiesOut[n] = vec4(push.velocity, 0.0);
        if (!kAffine) continue;
        for (uint axis = 0u; axis < 3u; ++axis) gradientsOut[3u * n + axis] = vec4(0.0);
    }
}
