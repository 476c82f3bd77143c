// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/pressure.h"

#include <vector>

/// The multigrid cycle and what is built on it, from docs/passes.md.
namespace wisp::reference {

/// Level 0 is the pressure grid; level l + 1 has half of level l's cells along every axis, rounded up.
struct Level {
    int number = 0;
    ivec3 finest{1};  ///< cells of level 0
    ivec3 cells{1};
    Field weights;
    int periodic = 0;     ///< bits of the axes
    bool liquid = false;  ///< cells without an equation are EMPTY, with q = 0: see docs/liquid.md
};

/// Every level down to a single cell.
std::vector<Level> pyramid(const Field& weights, int periodic = 0, bool liquid = false);
/// Pass `mg_weights`: the next coarser level.
Level coarser(const Level& fine);
/// What `mg_start` makes of a zero pressure.
Numbers started(const Level& level, const Numbers& b);
/// Half of pass `mg_sweeps`; the first part of `mg_down`, the second one of `mg_up`.
void sweep(const Level& level, const Numbers& b, Numbers& q);
/// Right-hand side of the next level: half the sum of the residuals of the cells below; in flat grids their sum.
Numbers restricted(const Level& fine, const Numbers& b, const Numbers& q);
/// What a coarse pressure adds to the cells below; nothing to EMPTY ones.
Numbers prolonged(const Level& fine, const Level& coarse, const Numbers& coarseQ);

/// One cycle from q, on level n and those below.
void vCycle(const std::vector<Level>& levels, std::size_t n, const Numbers& b, Numbers& q);

/// Numbers of a conjugate gradient step from its sums (see passes.md).
struct Products {
    double pw = 0.0, pr = 0.0, rw = 0.0, ww = 0.0;
    [[nodiscard]] bool overshoots() const;
    [[nodiscard]] double step() const;
};

}  // namespace wisp::reference
