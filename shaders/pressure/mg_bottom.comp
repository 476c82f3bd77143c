#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = WISP_BOTTOM_THREADS) in;
// A whole multigrid cycle from zero on `levels` levels, in a single work group. See mg_restrict, mg_prolong and red_black_sor for its
// parts. The time between barriers dominates, so a thread keeps the weights of its two cells in registers.
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };            // of the top level; those of the other levels are in `tile`
layout(binding = 3, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel top; int levels; int after; float tolerance; float omega; };
// From the start: q of all levels, with a layer of zeros around each. From the end backwards: b of all levels but the top one.
shared float tile[WISP_BOTTOM_FLOATS];
int rhsPlace(PressureLevel l, ivec3 c) { return WISP_BOTTOM_FLOATS - 1 - (cellIndex(l, c) - top.first - cellCount(top)); }
shared PressureLevel levelAt[WISP_BOTTOM_LEVELS];  // on the way up, the levels of the way down
shared int firstAt[WISP_BOTTOM_LEVELS];
#include "shared/pairs.glsl"
#include "shared/dirichlet.glsl"
#include "shared/stop.glsl"

void sweep() {
    for (int colour = 0; colour < (kPeriodic == 0 ? 2 : pairColours); ++colour) {
        relaxPair(colour);
        barrier();
    }
}

// The residuals of a pair are exchanged through the entry of its even cell in `tile`, where q is restored afterwards. Up to four pairs lie
// in a coarse cell. The thread of the first pair writes it.
void restrictResidual(PressureLevel fine, PressureLevel coarse) {
    int index = pairIndex();
    float q = pairExists ? tile[index] : 0.0, sum = pairResidual(0) + pairResidual(1);
    barrier();
    if (pairExists) tile[index] = sum;
    barrier();
    bool hasY = pairAt.y + 1 < fine.cells.y, hasZ = pairAt.z + 1 < fine.cells.z;
    if (pairExists && ((pairAt.y | pairAt.z) & 1) == 0) {
        if (hasY) sum += tile[index + pairRow];
        if (hasZ) sum += tile[index + pairPlane] + (hasY ? tile[index + pairPlane + pairRow] : 0.0);
        tile[rhsPlace(coarse, pairAt / 2)] = 0.5 * float(kHalvesOfSum) * sum;
    }
    barrier();
    if (pairExists) tile[index] = q;
}

// Adds the pressure of the coarse cell, changed along each axis by the flux through the coarse face on that side: see prolong.glsl.
void prolong(PressureLevel fine, PressureLevel coarse, int first) {
    if (!pairExists) return;
    int row = haloRow(coarse), plane = row * (coarse.cells.y + 2);
    ivec3 c = pairAt, C = c / 2;
    int i = first + haloIndex(coarse, C), left = (C.x & 1) == 0 ? i - row / 2 : i + row / 2 - 1;
    bool upY = (c.y & 1) == 1, upZ = (c.z & 1) == 1;
    vec4 w = weightsAt(coarse, C);
    float wRight = weightsAt(coarse, C + unit(0)).x, wY = weightsAt(coarse, C + unit(1)).y, wZ = weightsAt(coarse, C + unit(2)).z;
    w.yz = mix(w.yz, vec2(wY, wZ), bvec2(upY, upZ));
    float own = tile[i];
    vec4 near = kPeriodic == 0 ? vec4(tile[left], tile[left + 1], tile[upY ? i + row : i - row], tile[upZ ? i + plane : i - plane])
                               : vec4(tile[imageIndex(coarse, first, C - unit(0))], tile[imageIndex(coarse, first, C + unit(0))],
                                      tile[imageIndex(coarse, first, upY ? C + unit(1) : C - unit(1))],
                                      tile[imageIndex(coarse, first, upZ ? C + unit(2) : C - unit(2))]);
    float sum = own + pairOffset(coarse, 1, c.y) * w.y * (near.z - own) + pairOffset(coarse, 2, c.z) * w.z * (near.w - own);
    int even = pairIndex(), odd = even - haloRow(fine) / 2 + 1;
    bvec2 hasEquation = bvec2(true);  // of the even cell and the odd one
    if (kDirichletCells) {
        int first = (c.y + c.z) & 1;  // index of the even cell in pairCells, which has the red one first
        hasEquation = bvec2(pairCells[first].factor > 0.0, pairCells[1 - first].factor > 0.0);
    }
    if (hasEquation.x) tile[even] += sum + pairOffset(coarse, 0, c.x) * w.x * (near.x - own);
    if (hasEquation.y && c.x + 1 < fine.cells.x) tile[odd] += sum + 0.25 * wRight * (near.y - own);
}

// The single cell: q = b / sum_f w_f.
void solveLast(PressureLevel l, int first) {
    if (gl_LocalInvocationIndex != 0u) return;
    float w = weightsAt(l, ivec3(0)).w, b = levels == 1 ? rhs[top.first] : tile[rhsPlace(l, ivec3(0))];
    tile[first + haloIndex(l, ivec3(0))] = w > 0.0 ? b / w : 0.0;
}

// A single cell is not loaded as a pair.
void storeTop() {
    if (levels == 1 && gl_LocalInvocationIndex == 0u) pressureOut[top.first] = tile[haloIndex(top, ivec3(0))];
    if (levels == 1 || !pairExists) return;
    [[unroll]] for (int n = 0; n < 2; ++n) {
        ivec3 c = pairCell(n);
        if (c.x < top.cells.x) pressureOut[cellIndex(top, c)] = tile[pairCells[n].index];
    }
}

void main() {
    if (converged(tolerance)) return;
    int first = 0;
    PressureLevel l = top;
    for (int i = int(gl_LocalInvocationIndex); i < WISP_BOTTOM_FLOATS; i += WISP_BOTTOM_THREADS) tile[i] = 0.0;
    barrier();
    for (int n = 0; n + 1 < levels; ++n) {
        if (gl_LocalInvocationIndex == 0u) {
            levelAt[n] = l;
            firstAt[n] = first;
        }
        loadPair(l, first);
        sweep();
        restrictResidual(l, coarser(l));
        first += haloCount(l);
        l = coarser(l);
    }
    solveLast(l, first);
    barrier();
    for (int n = levels - 2; n >= 0; --n) {
        PressureLevel coarse = l;
        int coarseFirst = first;
        l = levelAt[n];
        first = firstAt[n];
        loadPair(l, first);
        prolong(l, coarse, coarseFirst);
        barrier();
        for (int k = 0; k < after; ++k) sweep();
    }
    storeTop();
}
