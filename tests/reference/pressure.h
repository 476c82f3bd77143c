// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/solids.h"

namespace wisp::reference {

/// Whether a pressure cell has neighbours along all axes (two axes in flat grids) and weights of 1 on their faces.
bool isRegular(const Field& weights, ivec3 c, int axes = 3);

/// Pass `downsample`: b = -H^2 times the mean divergence of the fine cells.
Numbers rightHandSide(const Step& s, const Field& velocity, const Field& aperture);
/// With ratio 1, the divergence of the fine cells [1/s].
Numbers divergence(const Step& s, const Field& velocity, const Field& aperture);

/// Subtracts the mean over the cells with weight.
void removeMean(const Field& weights, Numbers& values);

/// sum_F w_F q_n over the neighbours of a cell. q is 0 outside the box. `periodic`: bits of the periodic axes. A periodic axis with a
/// single cell adds nothing, because the cell would be its own neighbour.
double neighbourSum(const Field& weights, const Numbers& q, ivec3 c, int periodic = 0);
/// A q, with (A q)_c = sum_F w_F (q_c - q_n).
Numbers applied(const Field& weights, const Numbers& q, int periodic = 0);

Numbers jacobi(const Field& weights, const Numbers& b, const Numbers& q, int periodic = 0);
/// Number of colours needed so that no two neighbours share one: two (parity of x + y + z) or three.
int colours(ivec3 cells, int periodic);
/// One sweep over the cells of a colour.
void redBlackSor(const Field& weights, const Numbers& b, Numbers& q, int colour, double omega, int periodic = 0);

/// Sums over the cells with weight.
struct Residual {
    double r2 = 0.0, b2 = 0.0, b = 0.0, count = 0.0, q = 0.0;
};
Residual pressureResidual(const Field& weights, const Numbers& b, const Numbers& q, int periodic = 0);

}  // namespace wisp::reference
