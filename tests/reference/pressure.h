// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/solids.h"

namespace wisp::reference {

/// Pass `downsample`: b = -H^2 times the mean divergence of the fine cells.
Numbers rightHandSide(const Step& s, const Field& velocity, const Field& openness);
/// With ratio 1 the divergence of the fine cells [1/s].
Numbers divergence(const Step& s, const Field& velocity, const Field& openness);

/// `values` without their mean over the cells with weight.
void removeMean(const Field& weights, Numbers& values);

/// sum_F w_F q_n over the neighbours of a cell; q outside the box is 0.
double neighbourSum(const Field& weights, const Numbers& q, ivec3 c);
/// A q, with (A q)_c = sum_F w_F (q_c - q_n).
Numbers applied(const Field& weights, const Numbers& q);

Numbers jacobi(const Field& weights, const Numbers& b, const Numbers& q);
/// Half a sweep on the cells with (x + y + z) of the colour's parity.
void redBlackSor(const Field& weights, const Numbers& b, Numbers& q, int colour, double omega);

/// Sums over the cells with weight.
struct Residual {
    double r2 = 0.0, b2 = 0.0, b = 0.0, count = 0.0, q = 0.0;
};
Residual pressureResidual(const Field& weights, const Numbers& b, const Numbers& q);

}  // namespace wisp::reference
