// SPDX-License-Identifier: MIT
#include "compute/passes.h"

#include <cassert>
#include <utility>

namespace wisp {

void recordObstacles(engine::Recorder& rec, Fields& f) {
    rec.dispatch("obstacles", f.faces(), {{"openness", f.openness}, {"distanceOut", f.solidDistance}});
    rec.dispatch("coarse_openness", f.pressureFaces(), {{"openness", f.openness}, {"weightsOut", f.weights}, {"regularOut", f.regular}});
}

void recordMovedObstacles(engine::Recorder& rec, Fields& f) {
    assert(f.opennessBefore);
    std::swap(f.openness, f.opennessBefore);
    std::swap(f.solidDistance, f.solidDistanceBefore);
    recordObstacles(rec, f);
    rec.dispatch("uncover", f.scalarCells(),
                 {{"openness", f.openness}, {"opennessBefore", f.opennessBefore}, {"distanceBefore", f.solidDistanceBefore},
                  {"scalarsIn", f.scalars[0]}, {"scalarsOut", f.scalars[0]}});
}

}  // namespace wisp
