#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
layout(local_size_x = 32, local_size_x_id = 28, local_size_y = 4, local_size_z = 2, local_size_z_id = 17) in;  // long rows, for buffers
#include "shared/presmooth.glsl"
#include "shared/pressure_level.h"
// A weighted Jacobi sweep: x' = x + omega (e - A x / 6), (A x)_c = sum_F w_F (x_c - x_n). x is `scale` times `potential`: the first sweep,
// from 0, leaves a multiple of e.
layout(push_constant, scalar) uniform Push {
    FloatFieldIn excessAddress;
    FloatFieldIn potentialAddress;
    FloatFieldOut potentialOutAddress;
    float scale;  // of potential
    float omega;
};
FLOATS_IN(3, excess);       // e [m/s], see presmooth_divergence.comp
FLOATS_IN(4, potential);    // x [m/s]: the pressure, times -dt / (rho h)
FLOATS_OUT(5, potentialOut);

float cutFlux(ivec3 c, float here) {
    float flux = 0.0;
    for (int n = 0; n < noUnroll(2 * kAxes); ++n) {
        int axis = n >> 1, side = n & 1;
        float w = weightBelow(c + side * unit(axis), axis);
        ivec3 beyond = wrappedOnce(c + (2 * side - 1) * unit(axis), sim.cells);
        flux += w * (here - (w > 0.0 && takesPart(beyond) ? LOAD_FLOAT(potential, placeOf(beyond)) : 0.0));
    }
    return flux;
}

// A thread takes a column of cells along z, because these share indices and neighbours.
const int kColumn = kSparse ? 1 : WISP_COLUMN;

void compute(ivec3 first) {
    first.z *= kColumn;
    if (!takesPart(first)) return;
    uint place = kSparse ? ownPlace(first) : cellIndex(first, sim.cells), stride = strideOf(2);
    float x[WISP_COLUMN + 2], e[WISP_COLUMN], flux[WISP_COLUMN];
    int count = min(kColumn, sim.cells.z - first.z);
    ivec3 last = first + ivec3(0, 0, count - 1);
    x[0] = LOAD_FLOAT(potential, below(place, first, 2));
    [[unroll]] for (int n = 0; n < kColumn; ++n) {
        uint at = place + uint(min(n, count - 1)) * stride;
        x[n + 1] = LOAD_FLOAT(potential, at);
        e[n] = LOAD_FLOAT(excess, at);
    }
    float beyond = LOAD_FLOAT(potential, above(place + uint(count - 1) * stride, last, 2));
    [[unroll]] for (int n = 0; n < kColumn; ++n) x[n + 2] = n + 1 < count ? x[n + 2] : beyond;
    x[kColumn + 1] = beyond;
    [[unroll]] for (int axis = 0; axis < 2; ++axis) {  // beyond a closed side, the nearest cell is the cell itself
        uint low = below(place, first, axis), high = above(place, first, axis);
        bool openLow = isOpenBelow(first, axis), openHigh = isOpenAbove(first, axis);
        [[unroll]] for (int n = 0; n < kColumn; ++n) {
            uint on = uint(min(n, count - 1)) * stride;
            float here = x[n + 1];
            if (axis == 0) flux[n] = 0.0;
            flux[n] += openLow ? 2.0 * here : here - LOAD_FLOAT(potential, low + on);
            flux[n] += openHigh ? 2.0 * here : here - LOAD_FLOAT(potential, high + on);
        }
    }
    [[unroll]] for (int n = 0; n < kColumn; ++n) {
        ivec3 c = first + ivec3(0, 0, n);
        if (n >= count) break;
        float here = x[n + 1];
        if (!kFlat) {
            flux[n] += isOpenBelow(c, 2) ? 2.0 * here : here - x[n];
            flux[n] += isOpenAbove(c, 2) ? 2.0 * here : here - x[n + 2];
        }
        bool isOpen = isClear(c);
        for (int once = 0; once < noUnrollIf(!isOpen, 1); ++once)
            if (!isOpen) flux[n] = cutFlux(c, here);
        STORE_FLOAT(potentialOut, place + uint(n) * stride, scale * here + omega * (e[n] - scale * flux[n] * kPerFace))
    }
}
#include "shared/each_cell.glsl"
