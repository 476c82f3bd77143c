#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/velocity.glsl"
#include "shared/liquid/liquid.glsl"
#include "shared/random.glsl"
// Spawns particles at random positions around the centres of their sub-cells, with the velocity of the grid there. They follow the other
// particles of their cell. If any of the 5^3 cells around is not full, they lie at the centres: the surface of a plane shape is then a
// plane, and no random offset moves a particle into a solid.
layout(binding = 1) uniform sampler3D velocity;  // [m/s], on faces
layout(binding = 2, scalar) readonly buffer Counts { uint counts[]; };
layout(binding = 3, scalar) readonly buffer Spawned { uint spawned[]; };
layout(binding = 4, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(binding = 5, scalar) writeonly buffer PositionsOut { vec4 positionsOut[]; };
layout(binding = 6, scalar) writeonly buffer VelocitiesOut { vec4 velocitiesOut[]; };
layout(binding = 7, scalar) writeonly buffer GradientsOut { vec4 gradientsOut[]; };
layout(push_constant, scalar) uniform Push { LiquidSpawn push; };

bool isFull(ivec3 c) {
    if (outside(c, sim.cells)) return !beyondOpenSide(vec3(c) + 0.5);
    uint index = cellIndex(c, sim.cells);
    return counts[index] + uint(bitCount(spawned[index])) >= uint(push.edge * push.edge * push.edge);
}

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells)) return;
    uint index = cellIndex(c, sim.cells), left = spawned[index];
    if (left == 0u) return;  // true in nearly all cells
    uint to = cellFirst[index] + counts[index], end = cellFirst[index + 1u];
    bool inside = left != 0u;  // CPU devices execute this for all lanes if any lane needs it
    for (int n = 0; n < noUnroll(125) && inside; ++n) inside = isFull(c + ivec3(n % 5, (n / 5) % 5, n / 25) - 2);
    float jitter = inside ? push.jitter : 0.0;
    for (; left != 0u && to < end; left &= left - 1u, ++to) {
        uint part = uint(findLSB(left));
        vec3 offset = unitNumbers(hash4(uvec4(index, part, push.step, push.seed))).xyz - 0.5;
        vec3 p = partMiddle(part, c, push.edge) + jitter * offset / float(push.edge), u = vec3(0.0);
        [[unroll]] for (int axis = 0; axis < 3; ++axis) u[axis] = velocityComponent(velocity, p, axis);
        positionsOut[to] = vec4(p, WISP_LIQUID_HERE);
        velocitiesOut[to] = vec4(u, 0.0);
        if (!kAffine) continue;
        for (uint axis = 0u; axis < 3u; ++axis) gradientsOut[3u * to + axis] = vec4(0.0);
    }
}
