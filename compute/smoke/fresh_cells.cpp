// SPDX-License-Identifier: MIT
#include "compute/smoke/smoke_passes.h"

namespace wisp {

void recordFreshCells(engine::Recorder& rec, const Domain& d, Smoke& smoke) {
    const auto fill_fresh_cells = [&](const engine::Image& field) {
        if (field.isZero()) return;
        rec.dispatch("fill_fresh_cells", d.scalarCells(),
                     {{"aperture", d.aperture},
                      {"apertureBefore", d.apertureBefore},
                      {"distanceBefore", d.solidDistanceBefore},
                      {"scalarsIn", field},
                      {"scalarsOut", field}});
    };
    fill_fresh_cells(smoke.scalars[0]);
    if (smoke.hasColours()) fill_fresh_cells(smoke.colours[0]);
}

}  // namespace wisp
