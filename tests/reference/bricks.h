// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/solids.h"

/// Passes that find bricks without smoke.
namespace wisp::reference {

struct Brick {
    bool holds = false;
    double reach = 0.0;  ///< [scalar cells]
};
using SmokeBricks = Grid<Brick>;

/// Second output of pass `trace`: the longest path component [cells] in each `group` of cells.
Numbers pathReach(const Step& s, const Field& back, ivec3 group);
SmokeBricks smokeBricks(const Step& s, const Field& scalars, const Numbers& reach, ivec3 group);
Grid<int> smokeReach(const Step& s, const SmokeBricks& bricks, bool all);

}  // namespace wisp::reference
