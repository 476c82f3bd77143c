#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
layout(local_size_x = WISP_BOTTOM_THREADS) in;
// A whole cycle from zero on `levels` levels, in a single work group: see mg_restrict, mg_prolong and red_black_sor for its
// parts. What counts is the time from one barrier to the next: a thread keeps the weights of its cells in registers.
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };            // of the top level; the others' are in `tile`
layout(binding = 3, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel top; int levels; int after; float tolerance; float omega; };
shared float tile[WISP_BOTTOM_FLOATS];  // q of all levels with a layer of zeros around each, then b of all but the top one
int lowerRhs;                           // index in `tile` of what would be b of place top.first
int rhsPlace(PressureLevel l, ivec3 c) { return lowerRhs + cellIndex(l, c) - top.first; }
#include "shared/pairs.glsl"
#include "shared/stop.glsl"

void sweep() {
    if (kPeriodic == 0) {
        relaxPairs(0);
        barrier();
        relaxPairs(1);
        barrier();
        return;
    }
    for (int colour = 0; colour < pairColours; ++colour) {
        relaxPairs(colour);
        barrier();
    }
}

// The residuals of a pair go through its even cell's place; its q comes back there.
void restrictResidual(PressureLevel fine, PressureLevel coarse, int first) {
    float sums[WISP_PAIRS], q[WISP_PAIRS];
    [[unroll]] for (int k = 0; k < WISP_PAIRS; ++k) {
        q[k] = pairExists[k] ? tile[pairPlace(k)] : 0.0;
        sums[k] = pairResidual(k) + pairResidual(k + WISP_PAIRS);
    }
    barrier();
    [[unroll]] for (int k = 0; k < WISP_PAIRS; ++k) if (pairExists[k]) tile[pairPlace(k)] = sums[k];
    barrier();
    for (int i = int(gl_LocalInvocationIndex); i < cellCount(coarse); i += WISP_BOTTOM_THREADS) {
        ivec3 C = ivec3(i % coarse.cells.x, (i / coarse.cells.x) % coarse.cells.y, i / (coarse.cells.x * coarse.cells.y)), c = 2 * C;
        int place = first + haloIndex(fine, c), row = haloRow(fine), plane = row * (fine.cells.y + 2);
        bool hasY = c.y + 1 < fine.cells.y, hasZ = c.z + 1 < fine.cells.z;
        float sum = tile[place] + (hasY ? tile[place + row] : 0.0);
        if (hasZ) sum += tile[place + plane] + (hasY ? tile[place + plane + row] : 0.0);
        tile[rhsPlace(coarse, C)] = 0.5 * float(kHalvesOfSum) * sum;
    }
    barrier();
    [[unroll]] for (int k = 0; k < WISP_PAIRS; ++k) if (pairExists[k]) tile[pairPlace(k)] = q[k];
}

// Adds the coarse cell's pressure, moved along each axis by the flux through the coarse face on that side: see prolong.glsl.
void prolong(PressureLevel fine, PressureLevel coarse, int first) {
    int row = haloRow(coarse), plane = row * (coarse.cells.y + 2);
    [[unroll]] for (int k = 0; k < WISP_PAIRS; ++k) {
        if (!pairExists[k]) continue;
        ivec3 c = pairAt[k], C = c / 2;
        int i = first + haloIndex(coarse, C), left = (C.x & 1) == 0 ? i - row / 2 : i + row / 2 - 1;
        bool upY = (c.y & 1) == 1, upZ = (c.z & 1) == 1;
        vec4 w = weightsAt(coarse, C);
        float wRight = weightsAt(coarse, C + unit(0)).x, wY = weightsAt(coarse, C + unit(1)).y, wZ = weightsAt(coarse, C + unit(2)).z;
        w.yz = mix(w.yz, vec2(wY, wZ), bvec2(upY, upZ));
        float own = tile[i];
        vec4 near = kPeriodic == 0 ? vec4(tile[left], tile[left + 1], tile[upY ? i + row : i - row], tile[upZ ? i + plane : i - plane])
                                   : vec4(tile[imagePlace(coarse, first, C - unit(0))], tile[imagePlace(coarse, first, C + unit(0))],
                                          tile[imagePlace(coarse, first, upY ? C + unit(1) : C - unit(1))],
                                          tile[imagePlace(coarse, first, upZ ? C + unit(2) : C - unit(2))]);
        float sum = own + pairOffset(coarse, 1, c.y) * w.y * (near.z - own) + pairOffset(coarse, 2, c.z) * w.z * (near.w - own);
        int even = pairPlace(k), odd = even - haloRow(fine) / 2 + 1;
        tile[even] += sum + pairOffset(coarse, 0, c.x) * w.x * (near.x - own);
        if (c.x + 1 < fine.cells.x) tile[odd] += sum + 0.25 * wRight * (near.y - own);
    }
}

// The single cell: q = b / sum_f w_f.
void solveLast(PressureLevel l, int first) {
    if (gl_LocalInvocationIndex != 0u) return;
    float w = weightsAt(l, ivec3(0)).w, b = levels == 1 ? rhs[top.first] : tile[rhsPlace(l, ivec3(0))];
    tile[first + haloIndex(l, ivec3(0))] = w > 0.0 ? b / w : 0.0;
}

void main() {
    if (converged(tolerance)) return;
    int first = 0;
    PressureLevel l = top;
    lowerRhs = -cellCount(top);
    for (int n = 0; n < levels; ++n) {
        lowerRhs += haloCount(l);
        l = coarser(l);
    }
    for (int i = int(gl_LocalInvocationIndex); i < WISP_BOTTOM_FLOATS; i += WISP_BOTTOM_THREADS) tile[i] = 0.0;
    barrier();
    l = top;
    for (int n = 0; n + 1 < levels; ++n) {
        loadPairs(l, first);
        sweep();
        restrictResidual(l, coarser(l), first);
        first += haloCount(l);
        l = coarser(l);
    }
    solveLast(l, first);
    barrier();
    for (int n = levels - 2; n >= 0; --n) {
        PressureLevel coarse = l;
        int coarseFirst = first;
        l = top;
        first = 0;
        for (int k = 0; k < n; ++k) {
            first += haloCount(l);
            l = coarser(l);
        }
        loadPairs(l, first);
        prolong(l, coarse, coarseFirst);
        barrier();
        for (int k = 0; k < after; ++k) sweep();
    }
    for (int n = int(gl_LocalInvocationIndex); n < cellCount(top); n += WISP_BOTTOM_THREADS) {
        pressureOut[top.first + n] = tile[haloIndex(top, storedCell(top, n))];
    }
}
