#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#define WISP_LISTS_BRICKS
#include "shared/reduce.glsl"
#include "shared/grid.glsl"
#include "shared/stored_cells.glsl"
#include "shared/paths.glsl"
#include "shared/side_fade.h"
// Fades smoke in a layer before open sides of the box: ds/dt = -s sum over open sides of (max(0, dS/dt) + rate S) along the smoke's path,
// with S(d) = depth max(0, 1 - d / width)^2 at the distance d from the side. On the way outwards dS/dt is the speed towards the side times
// -S'(d). Its integral depends only on the ends of the path, so neither the speed nor the time step matters. The rate removes smoke at
// rest. Its integral is by the trapezoidal rule: second order, and exact at rest. In place. Sums the density that is lost outside solids.
layout(binding = 2) uniform sampler3D scalarsIn;
layout(binding = 3) uniform writeonly image3D scalarsOut;
layout(binding = 4) uniform sampler3D aperture;
VECTORS_IN(1, back);  // displacements of backtrace.comp
layout(push_constant, scalar) uniform Push { VectorsIn backAddress; SideFadePush push; };
SCALAR_DISPLACEMENT(back)

float fadeDepth(float distance) {
    float t = clamp(1.0 - distance / push.width, 0.0, 1.0);
    return WISP_FADE_DEPTH * t * t;
}

// Exponent of one side at the distances [cells] from it now and at the beginning of the step.
float exponent(float now, float before) {
    float S = fadeDepth(now), S0 = fadeDepth(before);
    return max(S - S0, 0.0) + 0.5 * WISP_FADE_RATE * sim.dt * (S + S0);
}

struct Layers { bvec3 low, high; };
// Of which sides the layers contain scalar cell c.
Layers layersOf(ivec3 c) {
    bvec3 low = equal(sim.sidesLow, ivec3(WISP_OPEN)), high = equal(sim.sidesHigh, ivec3(WISP_OPEN));
    vec3 p = scalarPoint(c), above = vec3(sim.cells) - p;
    vec3 width = vec3(push.width);
    return Layers(lessThan(mix(width, p, low), width), lessThan(mix(width, above, high), width));
}

bool fades(ivec3 c) {  // most of a layer contains no smoke
    Layers layers = layersOf(c);
    return (any(layers.low) || any(layers.high)) && texelFetch(scalarsIn, scalarTexel(c), 0) * push.fades != vec4(0.0);
}

// Returns the density that is lost in scalar cell c, which fades.
float faded(ivec3 c) {
    Layers layers = layersOf(c);
    vec3 p = scalarPoint(c), above = vec3(sim.cells) - p, path = backOfScalar(c) + push.scrolled;
    float sum = 0.0;
    [[unroll]] for (int a = 0; a < kAxes; ++a) {
        if (layers.low[a]) sum += exponent(p[a], p[a] + path[a]);
        if (layers.high[a]) sum += exponent(above[a], above[a] - path[a]);
    }
    vec4 before = texelFetch(scalarsIn, scalarTexel(c), 0), after = toStorage(before * mix(vec4(1.0), vec4(exp(-sum)), push.fades));
    imageStore(scalarsOut, scalarTexel(c), after);
    return texelFetch(aperture, texelOf(c / kScalarRatio), 0).w > 0.0 ? before.x - after.x : 0.0;
}

void main() {
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    if (kSparse) {
        for (uint n = uint(firstValue()); n < storedCells(kScalarEdge); n += uint(nextValue())) {
            ivec3 c = storedCell(n, kScalarEdge);
            if (!outside(c, sim.scalarCells) && fades(c)) v[0] += faded(c);
        }
    } else {
        ivec3 c = numberedCell(firstValue(), sim.scalarCells), way = numberedCell(nextValue(), sim.scalarCells);
        int n = firstValue(), end = noUnroll(cellsOf(sim.scalarCells));
        while (n < end) {
            for (; n < end && !fades(c); n += nextValue()) c = cellAfter(c, way, sim.scalarCells);  // a loop of its own, see branches.glsl
            if (n < end) v[0] += faded(c);
            n += nextValue();
            c = cellAfter(c, way, sim.scalarCells);
        }
    }
    reduceGroup(v);
}
