#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_LISTS_BRICKS
#define WISP_NEAR_SLOTS
#include "shared/grid.glsl"
#include "shared/sampling.glsl"
#include "shared/paths.glsl"
#include "shared/near_solid.glsl"
#include "shared/fluid_share.glsl"
#include "shared/reached.glsl"
#include "shared/solids.glsl"
#include "shared/crossing.glsl"
#include "shared/crossed.h"
// Adds up the density that advection moves through bodies. A scalar cell takes the share w_k of its density from each of the cells k around
// the end of its path. It comes through a body if the segment between the centres of both cells does, as the body sees it: from cell k at
// the beginning of the step to the cell at its end.
layout(binding = 3) uniform sampler3D scalarsIn;  // that advection read
layout(binding = 4, scalar) buffer CrossedBlock { CrossedSum crossed[]; };
VECTORS_IN(1, back);  // displacements of backtrace.comp
layout(push_constant, scalar) uniform Push { VectorsIn backAddress; CrossedPush push; };
SCALAR_DISPLACEMENT(back)

// Whether the way from p + path to p [cells] in the step leads through obstacle n.
bool leadsThrough(int n, vec3 p, vec3 path) {
    ShapeData s = obstacles[n].shape;
    for (int k = 0; k <= noUnroll(kPeriodic); ++k) {
        if (!isImage(k)) continue;
        vec3 end = fromImage(worldPoint(p) - s.centre, k);
        // The body has moved to its pose at the end of the step; the point moves with it.
        vec3 begin = turn(end + path * sim.h + sim.dt * obstacles[n].velocity, sim.dt * obstacles[n].angularVelocity);
        begin += sim.dt * deformation(s, begin);
        if (passesThrough(s, inBody(s, begin), inBody(s, end))) return true;
    }
    return false;
}

bool leadsThrough(vec3 p, vec3 path) {
    for (int n = 0; n < sim.obstacleCount; ++n) {
        if ((push.bodies >> n & 1) != 0 && leadsThrough(n, p, path)) return true;
    }
    return false;
}

// Density that moves through a body in the fluid's share of a sample at `from`. False: there is no fluid.
bool sampleCrossing(vec3 p, vec3 from, out float through) {
    vec3 texel = from * scalarsPerCell();
    ivec3 base = ivec3(floor(texel - 0.5));
    vec3 f = texel - 0.5 - vec3(base);
    float sum = 0.0, share = 0.0;
    for (int n = 0; n < noUnroll(kCorners); ++n) {
        ivec3 corner = base + ivec3(n & 1, (n >> 1) & 1, n >> 2), c = inGrid(corner, sim.scalarCells);
        if (!holdsSmoke(c / kScalarRatio)) continue;
        vec3 w3 = 1.0 - abs(texel - 0.5 - vec3(corner));
        float w = w3.x * w3.y * w3.z;
        share += w;
        float density = w * texelFetch(scalarsIn, scalarTexel(c), 0).x;
        ivec3 clamped = mix(clamp(corner, ivec3(0), sim.scalarCells - 1), corner, periodicAxes());  // the cell, in its own period
        if (density > 0.0 && leadsThrough(p, scalarPoint(clamped) - p)) sum += density;
    }
    through = sum / max(share, 1e-4);
    return share > 1e-4;
}

void add(ivec3 c, float density) {
    density = min(density, 1e11);
    float high = floor(density / WISP_CROSSED_HIGH);
    uint low = uint((density - high * WISP_CROSSED_HIGH) * WISP_CROSSED_PARTS + 0.5);
    uint n = uint(c.x + 5 * c.y + 25 * c.z) % WISP_CROSSED_SUMS;
    uint before = atomicAdd(crossed[n].low, low), carried = uint(high) + (before + low < before ? 1u : 0u);
    if (carried > 0u) atomicAdd(crossed[n].high, carried);
}

// Cells beside the end of the path are less than a scalar cell from it along each axis.
bool skips(ivec3 c) {
    if (outside(c, sim.scalarCells) || !isReached(c)) return true;
    float reach = length(backOfScalar(c)) + 1.74 + push.motion;
    return obstaclesBeyond(scalarPoint(c)) > reach || scalarDistance(c) > reach || solidCell(c / kScalarRatio);
}

void compute(ivec3 c) {
    vec3 p = scalarPoint(c), from = p + backOfScalar(c), place = from;
    float through = 0.0;
    for (int n = 0; n < noUnroll(5); ++n) {
        if (sampleCrossing(p, place, through)) break;
        place = nearer(p, place, n);
    }
    through *= 1.0 - ambientWeight(from, 0.5 / scalarsPerCell());
    if (through > 0.0) add(c, through);
}
#include "shared/each_cell.glsl"
