// SPDX-License-Identifier: MIT
#include "compute/smoke/smoke_passes.h"

namespace wisp {

void recordUncover(engine::Recorder& rec, const Domain& d, Smoke& smoke) {
    const auto uncover = [&](const engine::Image& field) {
        if (field.isZero()) return;
        rec.dispatch("uncover", d.scalarCells(),
                     {{"openness", d.openness},
                      {"opennessBefore", d.opennessBefore},
                      {"distanceBefore", d.solidDistanceBefore},
                      {"scalarsIn", field},
                      {"scalarsOut", field}});
    };
    uncover(smoke.scalars[0]);
    if (smoke.hasColours()) uncover(smoke.colours[0]);
}

}  // namespace wisp
