// SPDX-License-Identifier: MIT
// Particles of liquid and the cells that contain them. Needs shared/grid.glsl.
#ifndef WISP_LIQUID_GLSL
#define WISP_LIQUID_GLSL
#include "shared/liquid/liquid.h"
layout(constant_id = 24) const bool kQuadratic = false;  // kernel of the transfer; otherwise linear
layout(constant_id = 25) const bool kAffine = false;     // APIC

const uint kNowhere = 0xffffffffu;

uint cellTotal() { return uint(sim.cells.x) * uint(sim.cells.y) * uint(sim.cells.z); }
ivec3 cellAt(uint index) {
    return ivec3(index % uint(sim.cells.x), (index / uint(sim.cells.x)) % uint(sim.cells.y), index / uint(sim.cells.x * sim.cells.y));
}

bool isNumber(vec3 v) { return !any(isnan(v)) && !any(isinf(v)); }
bool isInBox(vec3 p) { return all(greaterThanEqual(p, vec3(0.0))) && all(lessThanEqual(p, vec3(sim.cells))); }
uint cellOf(vec3 p) { return cellIndex(min(ivec3(p), sim.cells - 1), sim.cells); }  // p is in the box

// Weights of a particle at the distance d [cells] along each axis: 1 - |d|, or the quadratic B-spline (Steffen, Kirby, Berzins 2008).
vec3 linear(vec3 d) { return clamp(1.0 - abs(d), 0.0, 1.0); }  // one instruction, together with the subtraction
vec3 kernel(vec3 d) {
    if (!kQuadratic) return linear(d);
    vec3 a = abs(d), far = max(1.5 - a, 0.0);
    return mix(0.5 * far * far, 0.75 - a * a, lessThan(a, vec3(0.5)));
}
// The kernel of a face reaches particles in so many cells below the face's cell, and in one cell above it.
const int kReachBelow = kQuadratic ? 2 : 1;

// Index of the sub-cell that contains p. Initially there is one particle in each of the edge^3 sub-cells of a cell.
uint partOf(vec3 p, ivec3 c, int edge) {
    ivec3 part = clamp(ivec3((p - vec3(c)) * float(edge)), ivec3(0), ivec3(edge - 1));
    return uint((part.z * edge + part.y) * edge + part.x);
}
vec3 partMiddle(uint part, ivec3 c, int edge) {
    int k = int(part);
    return vec3(c) + (vec3(k % edge, (k / edge) % edge, k / (edge * edge)) + 0.5) / float(edge);
}
#endif
