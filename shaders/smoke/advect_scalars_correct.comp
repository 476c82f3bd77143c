#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
#include "shared/grid.glsl"
#include "shared/rounding.glsl"
#include "shared/sampling.glsl"
#include "shared/paths.glsl"
#include "shared/clamping.glsl"
#include "shared/near_solid.glsl"
#include "shared/correction.h"
#include "shared/reached.glsl"
// MacCormack and BFECC for density and temperature, or for density times colour, like advect_velocity_correct.comp.
layout(binding = 3) uniform sampler3D scalarsIn;
layout(binding = 4) uniform sampler3D forward;   // result of advect_scalars
layout(binding = 5) uniform writeonly image3D scalarsOut;
layout(binding = 7) uniform sampler3D scalarsInLeast;
layout(binding = 8) uniform sampler3D scalarsInGreatest;
VECTORS_IN(1, back);  // displacements of backtrace.comp
VECTORS_IN(6, ahead);
// inflow: value that enters, or 0
layout(push_constant, scalar) uniform Push { VectorsIn backAddress; VectorsIn aheadAddress; vec4 keep; int correction; vec4 inflow; };
SCALAR_DISPLACEMENT(back)
SCALAR_DISPLACEMENT(ahead)
layout(constant_id = 20) const bool kBfecc = false;  // false: only MacCormack's corrections, and less code

// Clamps to the bounds of the field with which BFECC began, around all positions from which advect_scalars may have taken the value.
vec4 limited(vec4 value, ivec3 c, vec3 p, vec3 from) {
    float share = ambientWeight(from, 0.5 / scalarsPerCell());
    if (share == 1.0 || solidCell(c / kScalarRatio)) return value;
    vec4 low = vec4(1e30), high = vec4(-1e30), least, greatest;
    vec3 s = scalarsPerCell(), place = from;
    int places = nearSolid(scalarDistance(c), p, from, from) ? 5 : 1;
    for (int n = 0; n < opaqueToCompiler(places); ++n) {
        scalarBounds(scalarsIn, scalarsInLeast, scalarsInGreatest, place * s, least, greatest);
        low = min(low, least);
        high = max(high, greatest);
        place = n < 3 ? 0.5 * (place + p) : p;
    }
    return share > 0.0 ? clamp(value, min(low, min(inflow, 0.0)), max(high, max(inflow, 0.0))) : clamp(value, low, high);
}

vec4 corrected(ivec3 c) {
    int mode = opaqueToCompiler(correction);
    bool compensates = kBfecc && mode == WISP_COMPENSATE;
    ivec3 texel = scalarTexel(c);
    vec4 before = texelFetch(scalarsIn, texel, 0), value = compensates ? before : texelFetch(forward, texel, 0);
    vec3 s = scalarsPerCell(), p = scalarPoint(c), from = p + backOfScalar(c), to = p + aheadOfScalar(c);
    if (kBfecc && mode == WISP_LIMIT) return limited(value, c, p, from);
    if (!insideBox(from) || !insideBox(to) || ambientWeight(from, 0.5 / s) > 0.0) return value;
    if (nearSolid(scalarDistance(c), p, from, to)) return value;
    value += 0.5 * (before - sampleStoredScalars(forward, to * s));
    if (mode == WISP_UNCLAMPED || compensates) return value;
    vec4 low, high;
    scalarBounds(scalarsIn, scalarsInLeast, scalarsInGreatest, from * s, low, high);
    return clamp(value, low, high);
}

bool skips(ivec3 c) {
    if (outside(c, sim.scalarCells)) return true;
    if (!kBranchless || isReached(c)) return false;
    imageStore(scalarsOut, scalarTexel(c), vec4(0.0));
    return true;
}

// Where the bounds are 0 there is nothing to correct. Without bounds no brick is skipped. Other devices take 5 % more time with two stores.
void compute(ivec3 c) { imageStore(scalarsOut, scalarTexel(c), isReached(c) ? toStorage(keep * corrected(c)) : vec4(0.0)); }
#include "shared/each_cell.glsl"
