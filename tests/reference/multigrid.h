// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/pressure.h"

#include <vector>

/// The multigrid cycle and the solvers built on it, written from docs/passes.md.
namespace wisp::reference {

/// Level 0 is the pressure grid; level l + 1 has half of level l's cells along every axis, rounded up.
struct MultigridLevel {
    int number = 0;
    ivec3 finest{1};  ///< cells of level 0
    ivec3 cells{1};
    Field weights;
    int periodic = 0;     ///< bits of the axes
    bool liquid = false;  ///< cells without an equation are EMPTY, with q = 0 (see docs/liquid.md)
};

/// All levels down to a single cell.
std::vector<MultigridLevel> pyramid(const Field& weights, int periodic = 0, bool liquid = false);
/// Pass `mg_weights`: the next coarser level.
MultigridLevel coarser(const MultigridLevel& fine);
/// Result of `mg_start` for zero pressure.
Numbers started(const MultigridLevel& level, const Numbers& b);
/// Half of pass `mg_sweeps`. Also the first part of `mg_down` and the second part of `mg_up`.
void sweep(const MultigridLevel& level, const Numbers& b, Numbers& q);
/// Right-hand side of the next level: half the sum of the residuals of the child cells. In flat grids the full sum.
Numbers restricted(const MultigridLevel& fine, const Numbers& b, const Numbers& q);
/// Correction of the child cells from a coarse pressure. EMPTY cells get no correction.
Numbers prolonged(const MultigridLevel& fine, const MultigridLevel& coarse, const Numbers& coarseQ);

/// One V-cycle that starts from q, on level n and coarser levels.
void vCycle(const std::vector<MultigridLevel>& levels, std::size_t n, const Numbers& b, Numbers& q);

/// Scalar products of a conjugate gradient step (see docs/passes.md).
struct Products {
    double pw = 0.0, pr = 0.0, rw = 0.0, ww = 0.0;
    [[nodiscard]] bool overshoots() const;
    [[nodiscard]] double step() const;
};

}  // namespace wisp::reference
