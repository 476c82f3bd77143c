#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/shapes.glsl"
#include "shared/liquid/liquid.glsl"
// Fills a shape with liquid: a particle is spawned in each of its sub-cells that contains none, except inside solids.
layout(binding = 1, scalar) readonly buffer Taken { uint taken[]; };
layout(binding = 2, scalar) buffer Spawned { uint spawned[]; };
layout(binding = 3) uniform sampler3D aperture;
layout(binding = 4) uniform sampler3D solidDistance;
layout(push_constant, scalar) uniform Push { LiquidSource push; };

bool isSolid(vec3 p) {
    if (sim.obstacleCount == 0 || obstaclesBeyond(p) > 1.0) return false;
    return sampleLinear(solidDistance, p, sim.perCell).x <= 0.0;
}

void main() {
    ivec3 c = push.first + cell();
    if (outside(c, sim.cells)) return;
    uint index = cellIndex(c, sim.cells), parts = uint(push.edge * push.edge * push.edge), added = 0u;
    for (uint k = 0u; k < parts; ++k) {
        vec3 p = partMiddle(k, c, push.edge);
        if (signedDistance(push.shape, worldPoint(p)) <= 0.0 && !isSolid(p)) added |= 1u << k;
    }
    spawned[index] |= added & ~taken[index];
}
