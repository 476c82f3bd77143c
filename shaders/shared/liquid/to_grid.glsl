// SPDX-License-Identifier: MIT
// Transfer from particles to the grid. The velocity on a face is the weighted mean of the particles around it, sum_p w_p u_p / sum_p w_p.
// With APIC, u_p + grad u_p . (x_f - x_p) replaces u_p (Jiang et al. 2015, eq. 8). The pass also sums the linear weights of the particles
// at the centre of the cell, for liquid_density.
// Uses stepData, not its copy `sim`: see downsample.comp.
#include "shared/limits.glsl"
#include "shared/liquid/liquid.glsl"
#include "shared/liquid/known.glsl"
layout(binding = 1, scalar) readonly buffer Positions { vec4 positions[]; };
layout(binding = 2, scalar) readonly buffer Velocities { vec4 velocities[]; };
layout(binding = 3, scalar) readonly buffer Gradients { vec4 gradients[]; };  // only with APIC
layout(binding = 4, scalar) readonly buffer CellFirst { uint cellFirst[]; };
layout(binding = 5) uniform writeonly image3D velocityOut;
layout(binding = 6, scalar) writeonly buffer KnownOut { uint knownOut[]; };
layout(binding = 7, scalar) writeonly buffer DensityOut { float densityOut[]; };
const float kLeast = 1e-5;  // minimum weight of a known face: below it, rounding errors are a considerable part of the weight

// Sums of a texel over particles.
struct Gathered {
    vec3 sum, weight;  // sums of w_p u_p and of w_p on its faces
    float atCentre;
};
const Gathered kNothing = Gathered(vec3(0.0), vec3(0.0), 0.0);

void gather(inout Gathered g, ivec3 c, uint n) {
    vec3 d = positions[n].xyz - vec3(c), onFace = kernel(d), among = kernel(d - 0.5), near = linear(d - 0.5), u = velocities[n].xyz;
    vec3 w = onFace * (among.yxx * among.zzy);
    if (kAffine) [[unroll]] for (int axis = 0; axis < 3; ++axis)
        u[axis] -= dot(gradients[3u * n + uint(axis)].xyz, d - 0.5 + 0.5 * vec3(unit(axis))) * stepData.h;
    g.sum += w * u;
    g.weight += w;
    g.atCentre += near.x * near.y * near.z;
}

void store(ivec3 c, Gathered g) {
    ivec3 cells = stepData.cells;
    if (outside(c, cells + 1)) return;
    vec3 u = vec3(0.0);
    uint known = 0u;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        bool isKnown = g.weight[axis] > kLeast && !outside(c, cells + unit(axis));
        if (isKnown) u[axis] = g.sum[axis] / g.weight[axis];
        known |= layerBits(isKnown ? 0u : WISP_LIQUID_UNKNOWN, axis);
    }
    imageStore(velocityOut, c, velocityToStorage(u));
    knownOut[cellIndex(c, cells + 1)] = known;
    if (!outside(c, cells)) densityOut[cellIndex(c, cells)] = g.atCentre;
}
