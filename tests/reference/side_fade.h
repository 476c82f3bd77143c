// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/side_fade.h"
#include "tests/reference/solids.h"

/// Pass `side_fade`.
namespace wisp::reference {

struct Faded {
    Field scalars;
    double sum = 0.0;  ///< amount that the first channel lost outside of solids
};
/// `back`: displacements [cells] of cell centres. `aperture`: w of cells.
Faded sideFade(const Step& s, const gpu::SideFadePush& push, const Field& back, const Field& aperture, const Field& scalars);

}  // namespace wisp::reference
