#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/poisson.glsl"
#include "shared/level_cell.glsl"
#define WISP_BOTTOM_THREADS 512
layout(local_size_x = WISP_BOTTOM_THREADS) in;
// A whole cycle from zero on `levels` levels, in a single work group: see mg_start, mg_restrict, mg_prolong and
// red_black_sor for its parts. Small levels would otherwise cost a dispatch for each part.
layout(binding = 2, scalar) readonly buffer Rhs { float rhs[]; };            // of the top level; the others' are in `tile`
layout(binding = 3, scalar) writeonly buffer PressureOut { float pressureOut[]; };
layout(push_constant, scalar) uniform Push { PressureLevel top; int levels; int after; float tolerance; float omega; };
shared float tile[8192];  // q of all levels, then b of all but the top one

#define WISP_VALUE(i) tile[(i) - top.first]
#include "shared/neighbours.glsl"
#include "shared/prolong.glsl"
#include "shared/relax.glsl"
#include "shared/start.glsl"
#include "shared/stop.glsl"

int lowerRhs;  // index in `tile` of what would be b of place top.first

void synchronize() {
    memoryBarrierShared();
    barrier();
}

float rhsAt(PressureLevel l, int i) { return l.first == top.first ? rhs[i] : tile[lowerRhs + i - top.first]; }

void start(PressureLevel l) {
    for (int n = int(gl_LocalInvocationIndex); n < cellCount(l); n += WISP_BOTTOM_THREADS) {
        ivec3 C = storedCell(l, n);
        WISP_VALUE(l.first + n) = started(C, rhsAt(l, l.first + n), diagonal(l, C), omega);
    }
    synchronize();
}

void halfSweep(PressureLevel l, int colour) {
    int evens = (l.cells.x + 1) / 2;
    for (int n = int(gl_LocalInvocationIndex); n < evens * l.cells.y * l.cells.z; n += WISP_BOTTOM_THREADS) {
        ivec3 C = ivec3(n % evens, (n / evens) % l.cells.y, n / (evens * l.cells.y));
        C.x = 2 * C.x + ((C.y + C.z + colour) & 1);
        if (C.x >= l.cells.x) continue;
        int i = cellIndex(l, C);
        WISP_VALUE(i) += omega * relaxation(l, C, i, rhsAt(l, i));
    }
    synchronize();
}

void restrictResidual(PressureLevel fine, PressureLevel coarse) {
    for (int n = int(gl_LocalInvocationIndex); n < cellCount(coarse); n += WISP_BOTTOM_THREADS) {
        ivec3 C = storedCell(coarse, n);
        float sum = 0.0;
        for (int child = 0; child < 8; ++child) {
            ivec3 c = 2 * C + ivec3(child & 1, (child >> 1) & 1, child >> 2);
            if (outside(c, fine.cells) || diagonal(fine, c) == 0.0) continue;
            int i = cellIndex(fine, c);
            sum += rhsAt(fine, i) - applied(fine, c, i);
        }
        tile[lowerRhs + coarse.first + n - top.first] = 0.5 * sum;
    }
    synchronize();
}

void prolong(PressureLevel fine, PressureLevel coarse) {
    for (int n = int(gl_LocalInvocationIndex); n < cellCount(fine); n += WISP_BOTTOM_THREADS) {
        ivec3 c = storedCell(fine, n);
        WISP_VALUE(fine.first + n) += prolonged(coarse, c / 2, childOffset(coarse, c));
    }
    synchronize();
}

PressureLevel levelBelow(int count) {
    PressureLevel l = top;
    for (int n = 0; n < count; ++n) l = coarser(l);
    return l;
}

void main() {
    if (converged(tolerance)) return;
    PressureLevel last = levelBelow(levels - 1);
    lowerRhs = last.first + cellCount(last) - top.first - cellCount(top);
    PressureLevel l = top;
    for (int n = 0; n < levels; ++n) {
        start(l);
        halfSweep(l, 1);
        if (n + 1 < levels) restrictResidual(l, coarser(l));
        l = coarser(l);
    }
    for (int n = levels - 1; n >= 0; --n) {
        l = levelBelow(n);
        if (n + 1 < levels) prolong(l, coarser(l));
        for (int k = 0; k < after; ++k) { halfSweep(l, 0); halfSweep(l, 1); }
    }
    for (int n = int(gl_LocalInvocationIndex); n < cellCount(top); n += WISP_BOTTOM_THREADS) pressureOut[top.first + n] = WISP_VALUE(top.first + n);
}
