#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/sampling.glsl"
#include "shared/paths.glsl"
#include "shared/near_solid.glsl"
#include "shared/fluid_share.glsl"
#include "shared/reached.glsl"
#include "shared/cubic.glsl"
#include "shared/clamping.glsl"
#include "shared/inflow.glsl"
// Semi-Lagrangian advection of density and temperature, or of density times colour: s'(x) = s(x - path), first order. With cubic
// interpolation it is third order away from solids. Values outside the box enter through sides that are not walls. A solid cell holds
// nothing. Next to solids only the fluid's share of a sample counts. Cells that a moving obstacle covers in this step still count as fluid
// where the smoke comes from: the obstacle pushes it ahead.
layout(binding = 3) uniform sampler3D scalarsIn;
layout(binding = 4) uniform writeonly image3D scalarsOut;
layout(binding = 6) uniform sampler3D scalarsInLeast;
layout(binding = 7) uniform sampler3D scalarsInGreatest;
VECTORS_IN(1, back);  // displacements of backtrace.comp
// keep: decay factor of each channel, exp(-rate dt)
layout(push_constant, scalar) uniform Push { VectorsIn backAddress; vec4 keep; InflowPush inflow; };
SCALAR_DISPLACEMENT(back)

vec4 sampleCubic(vec3 texel) {
    vec4 low, high;
    if (kSparse) {
        scalarBounds(scalarsIn, scalarsInLeast, scalarsInGreatest, texel, low, high);
        if (low == high) return low;  // most often 0
    }
    vec3 t = fract(texel - 0.5);
    SmokeSlot slot = smokeSlotAt(texel);
    vec4 L = sampleStoredScalars(scalarsIn, texel, slot), value = L;
    [[unroll]] for (int axis = 0; axis < kAxes; ++axis) {
        vec3 e = vec3(unit(axis));
        value += bend(t[axis], L, sampleStoredScalars(scalarsIn, texel - (1.0 + t) * e, slot),
            sampleStoredScalars(scalarsIn, texel + (2.0 - t) * e, slot));
    }
    // Without rounds, see each_cell.glsl, to wait for the bounds first costs more.
    if (!kSparse) scalarBounds(scalarsIn, scalarsInLeast, scalarsInGreatest, texel, low, high);
    return clamp(value, low, high);
}

bool sampleFluid(vec3 texel, out vec4 value) {
    ivec3 base = ivec3(floor(texel - 0.5));
    vec3 f = texel - 0.5 - vec3(base);
    vec4 sum = vec4(0.0);
    float share = 0.0;
    for (int n = 0; n < noUnroll(kCorners); ++n) {
        ivec3 o = ivec3(n & 1, (n >> 1) & 1, n >> 2);
        ivec3 c = inGrid(base + o, sim.scalarCells);
        if (!holdsSmoke(c / kScalarRatio)) continue;
        vec3 w3 = mix(vec3(1.0) - f, f, vec3(o));
        float w = w3.x * w3.y * w3.z;
        sum += w * texelFetch(scalarsIn, scalarTexel(c), 0);
        share += w;
    }
    value = sum / max(share, 1e-4);
    return share > 1e-4;
}

// The fluid's share of a sample at `from`. If that is deep in a solid, the point moves to half the distance from p, a quarter, and so on,
// and finally to p.
vec4 nearestFluid(vec3 p, vec3 from) {
    vec4 value;
    for (int n = 0; n < noUnroll(5); ++n) {
        if (sampleFluid(from * scalarsPerCell(), value)) break;
        from = nearer(p, from, n);
    }
    return value;
}

bool skips(ivec3 c) {
    if (outside(c, sim.scalarCells)) return true;
    if (isReached(c)) return false;
    imageStore(scalarsOut, scalarTexel(c), vec4(0.0));
    return true;
}

void compute(ivec3 c) {
    vec3 p = scalarPoint(c), from = p + backOfScalar(c);
    vec4 value = vec4(0.0);
    float distance = scalarDistance(c);
    if (kCubic && distance > kCubicReach + length(from - p)) value = sampleCubic(from * scalarsPerCell());
    else if (!nearSolid(distance, p, from, from)) value = sampleStoredScalars(scalarsIn, from * scalarsPerCell());
    else if (!solidCell(c / kScalarRatio)) value = nearestFluid(p, from);
    vec3 margin = 0.5 / scalarsPerCell();
    float share = ambientWeight(from, margin);
    if (share > 0.0) value = mix(value, surroundings(from, share < 1.0 ? margin : vec3(0.0), inflow), share);
    imageStore(scalarsOut, scalarTexel(c), toStorage(keep * value));
}
#include "shared/each_cell.glsl"
