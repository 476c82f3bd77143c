#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/reduce.glsl"
// Compares the density s with the exact density e over scalar cells: sums of |s - e|, (s - e)^2, |e|, e^2, s and e; maxima of s - greatest
// and of -s.
layout(binding = 1) uniform sampler3D scalars;
layout(binding = 2) uniform sampler3D exact;
layout(push_constant, scalar) uniform Push { float greatest; };  // largest value that e can have

void main() {
    ivec3 c = linearCell(sim.scalarCells);
    float v[8] = float[8](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    if (!outside(c, sim.scalarCells)) {
        float s = texelFetch(scalars, c, 0).x, e = texelFetch(exact, c, 0).x, d = s - e;
        v = float[8](abs(d), d * d, abs(e), e * e, s, e, max(s - greatest, 0.0), max(-s, 0.0));
    }
    reduceGroup(v);
}
