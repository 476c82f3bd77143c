// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/solids.h"

/// Passes that find what stays empty.
namespace wisp::reference {

struct Brick {
    bool holds = false;
    double reach = 0.0;  ///< [scalar cells]
};
using Bricks = Grid<Brick>;

Bricks smokeBricks(const Step& s, const Field& scalars, const Field& back);
Grid<int> smokeReach(const Step& s, const Bricks& bricks, bool all);

}  // namespace wisp::reference
