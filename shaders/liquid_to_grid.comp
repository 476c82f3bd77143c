#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/limits.glsl"
#include "shared/liquid.glsl"
#include "shared/known.glsl"
// From particles to grid: the velocity on a face is the mean of those around it by their weights, sum_p w_p u_p / sum_p w_p; with APIC of
// u_p + grad u_p . (x_f - x_p) (Jiang et al. 2015, eq. 8). Each face gathers what it needs in the order of cells: no atomics, the same sum every run.
layout(binding = 1, scalar) readonly buffer Places { vec4 places[]; };
layout(binding = 2, scalar) readonly buffer Velocities { vec4 velocities[]; };
layout(binding = 3, scalar) readonly buffer Gradients { vec4 gradients[]; };  // with APIC
layout(binding = 4, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(binding = 5) uniform writeonly image3D velocityOut;
layout(binding = 6, scalar) writeonly buffer KnownOut { uint knownOut[]; };
const float kLeast = 1e-5;  // weight of a face that is known: below, roundings of weights are no small part of them

void main() {
    ivec3 c = cell();
    if (outside(c, sim.cells + 1)) return;
    vec3 sum = vec3(0.0), weight = vec3(0.0);
    ivec3 low = max(c - kReachBelow, ivec3(0)), high = min(c + 1, sim.cells - 1);
    for (int z = low.z; z <= high.z; ++z) {
        for (int y = low.y; y <= high.y; ++y) {
            uint row = placeOf(ivec3(0, y, z), sim.cells), end = cellFirst[row + uint(high.x) + 1u];
            for (uint n = cellFirst[row + uint(low.x)]; n < end; ++n) {
                vec3 d = places[n].xyz - vec3(c), onFace = kernel(d), among = kernel(d - 0.5), u = velocities[n].xyz;
                vec3 w = vec3(onFace.x * among.y * among.z, among.x * onFace.y * among.z, among.x * among.y * onFace.z);
                if (kAffine) [[unroll]] for (int axis = 0; axis < 3; ++axis) u[axis] -= dot(gradients[3u * n + uint(axis)].xyz, d - 0.5 + 0.5 * vec3(unit(axis))) * sim.h;
                sum += w * u;
                weight += w;
            }
        }
    }
    vec3 u = vec3(0.0);
    uint known = 0u;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        bool isKnown = weight[axis] > kLeast && faceExists(c, axis);
        if (isKnown) u[axis] = sum[axis] / weight[axis];
        known |= layerBits(isKnown ? 0u : WISP_LIQUID_UNKNOWN, axis);
    }
    imageStore(velocityOut, c, velocityToStorage(u));
    knownOut[placeOf(c, sim.cells + 1)] = known;
}
