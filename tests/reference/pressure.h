// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/solids.h"

namespace wisp::reference {

/// Pass `downsample`; with ratio 1 the divergence of the fine cells [1/s].
Numbers divergence(const Step& s, const Field& velocity, const Field& openness);

void removeMean(const Step& s, const Field& weights, Numbers& div);

/// sum_F w_F q_n over the neighbours of a cell; q outside the box is 0.
double neighbourSum(const Step& s, const Field& weights, const Numbers& q, ivec3 c);

Numbers jacobi(const Step& s, const Field& weights, const Numbers& div, const Numbers& q);
/// Half a sweep on the cells with (x + y + z) of the colour's parity.
void redBlackSor(const Step& s, const Field& weights, const Numbers& div, Numbers& q, int colour, double omega);

/// Sums over the cells with weight.
struct Residual {
    double r2 = 0.0, b2 = 0.0, b = 0.0, count = 0.0;
};
Residual pressureResidual(const Step& s, const Field& weights, const Numbers& div, const Numbers& q);

}  // namespace wisp::reference
