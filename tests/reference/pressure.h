// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/solids.h"

namespace wisp::reference {

/// Whether a pressure cell has neighbours along all axes, of which flat grids have two, and weights of 1 on their faces.
bool isRegular(const Field& weights, ivec3 c, int axes = 3);

/// Pass `downsample`: b = -H^2 times the mean divergence of the fine cells.
Numbers rightHandSide(const Step& s, const Field& velocity, const Field& openness);
/// With ratio 1 the divergence of the fine cells [1/s].
Numbers divergence(const Step& s, const Field& velocity, const Field& openness);

/// `values` without their mean over the cells with weight.
void removeMean(const Field& weights, Numbers& values);

/// sum_F w_F q_n over the neighbours of a cell; q outside the box is 0. `periodic`: bits of the axes along which there is no outside.
/// Where such an axis has a single cell, nothing: it would be its own neighbour.
double neighbourSum(const Field& weights, const Numbers& q, ivec3 c, int periodic = 0);
/// A q, with (A q)_c = sum_F w_F (q_c - q_n).
Numbers applied(const Field& weights, const Numbers& q, int periodic = 0);

Numbers jacobi(const Field& weights, const Numbers& b, const Numbers& q, int periodic = 0);
/// Of how many colours cells are so that no neighbours are of the same: two, by the parity of x + y + z, or three.
int colours(ivec3 cells, int periodic);
/// A sweep on the cells of a colour.
void redBlackSor(const Field& weights, const Numbers& b, Numbers& q, int colour, double omega, int periodic = 0);

/// Sums over the cells with weight.
struct Residual {
    double r2 = 0.0, b2 = 0.0, b = 0.0, count = 0.0, q = 0.0;
};
Residual pressureResidual(const Field& weights, const Numbers& b, const Numbers& q, int periodic = 0);

}  // namespace wisp::reference
