// SPDX-License-Identifier: MIT
#include "compute/passes.h"

namespace wisp {

void recordObstacles(engine::Recorder& rec, Fields& f) {
    rec.dispatch("obstacles", f.faces(), {{"openness", f.openness}});
    rec.dispatch("coarse_openness", f.pressureFaces(), {{"openness", f.openness}, {"weightsOut", f.weights}, {"regularOut", f.regular}},
                 f.pressureLevel());
    recordPyramidWeights(rec, f);
}

}  // namespace wisp
