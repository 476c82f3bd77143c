// SPDX-License-Identifier: MIT
#include "compute/passes.h"

namespace wisp {

void recordProject(engine::Recorder& rec, Fields& f) {
    rec.dispatch("pressure_gradient", f.pressureFaces(),
                 {{"weights", f.weights}, {"pressureIn", f.pressure[0]}, {"correction", f.correction}});
    rec.dispatch("project", f.faces(),
                 {{"correction", f.correction}, {"openness", f.openness}, {"velocityIn", f.velocity}, {"velocityOut", f.velocity}});
}

}  // namespace wisp
