// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/crossed.h"
#include "tests/reference/solids.h"

/// Pass `crossed_mass`.
namespace wisp::reference {

struct Crossed {
    double sum = 0.0;       ///< density in scalar cells
    double doubtful = 0.0;  ///< of it, or besides, of ways that nearly miss a body, or nearly leave it on the side where they enter
    std::size_t cells = 0;  ///< cells with density that crosses
};
/// `back`: displacements [cells] of cell centres. `aperture`, `before`: w of cells after and before obstacles moved. `scalars`: before
/// advection. `slack` [cells]: by which the pass may take a point for one on the surface.
Crossed crossedMass(const Step& s, int bodies, const Field& back, const Field& aperture, const Field& before, const Field& scalars,
                    double slack);

}  // namespace wisp::reference
