#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#include "shared/reduce.glsl"
#include "shared/grid.glsl"
#include "shared/stored_cells.glsl"
#include "shared/fire.h"
// Sums over scalar cells outside solids, of gas with the density ambient / (ambient + T) of that of the air: fuel, and the rate at which it
// burns [1/s]. Number of cells whose fuel is not finite. Greatest temperature.
layout(binding = 1) uniform sampler3D scalars;
layout(binding = 2) uniform sampler3D aperture;
layout(push_constant, scalar) uniform Push { FirePush push; };

void add(inout float v[8], ivec3 c) {
    vec3 s = texelFetch(scalars, scalarTexel(c), 0).xyz;
    if (isnan(s.z) || isinf(s.z)) v[2] += 1.0;
    if (texelFetch(aperture, texelOf(c / kScalarRatio), 0).w == 0.0) return;
    float Y = s.z, fuel = push.ambient / max(push.ambient + s.y, 1.0) * Y;
    v[0] += fuel;
    if (s.y >= push.ignition) v[1] += fuel * (push.mixing == WISP_PREMIXED ? 1.0 : 4.0 * (1.0 - Y)) * push.burnt / sim.dt;
    v[6] = max(v[6], s.y);
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    const int edge = WISP_BRICK_EDGE * kScalarRatio;
    if (kSparse) {
        for (uint n = uint(firstValue()); n < storedCells(edge); n += uint(nextValue())) {
            ivec3 c = storedCell(n, edge);
            if (!outside(c, sim.scalarCells)) add(v, c);
        }
    } else {
        ivec3 c = numberedCell(firstValue(), sim.scalarCells), way = numberedCell(nextValue(), sim.scalarCells);
        for (int n = firstValue(); n < noUnroll(cellsOf(sim.scalarCells)); n += nextValue(), c = cellAfter(c, way, sim.scalarCells))
            add(v, c);
    }
    reduceGroup(v);
}
