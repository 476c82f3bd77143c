// SPDX-License-Identifier: MIT
#include "compute/pressure/conjugate_gradient.h"
#include "compute/pressure/push.h"

#include "compute/pressure/multigrid.h"

namespace wisp {

using engine::Traffic;

void recordConjugateGradient(engine::Recorder& rec, const Domain& d, PressureSystem& s, bool first, float tolerance) {
    const ConjugateGradient& g = s.gradient;
    const gpu::PressureLevel level = d.pressureLevel();
    const int count = gpu::cellCount(level);
    const glm::uvec3 all = reductionThreads(d.pressureCells()), strided = d.stridedThreads(d.pressureCells());
    const engine::Buffer &stop = s.residual, &products = g.products, &dots = g.dots;
    rec.dispatch("cg_residual", d.pressureCells(),
                 {{"weights", Traffic::none(s.weights)},
                  {"regular", s.regular},
                  {"rhs", s.rhs},
                  {"pressureIn", s.pressure[0]},
                  {"remainderOut", g.remainder}},
                 level);
    recordCycleFromZero(rec, d, s, g.remainder, g.preconditioned, tolerance);
    if (!first) {
        rec.dispatch("cg_dot", strided, {{"preconditioned", g.preconditioned}, {"applied", g.applied}, {"partialsOut", d.partials}}, count);
        recordReduceFinal(rec, d, strided, dots);
    }
    const CgDirectionPush turn{count, first ? 1 : 0, tolerance};
    rec.dispatch(
        "cg_direction", all,
        {{"preconditioned", g.preconditioned}, {"direction", g.direction}, {"dots", dots}, {"products", products}, {"residual", stop}},
        turn);
    const JacobiPush apply{level, tolerance};
    rec.dispatch("cg_apply", strided,
                 {{"weights", Traffic::none(s.weights)},
                  {"regular", s.regular},
                  {"direction", g.direction},
                  {"remainder", g.remainder},
                  {"appliedOut", g.applied},
                  {"partialsOut", d.partials},
                  {"residual", stop}},
                 apply);
    recordReduceFinal(rec, d, strided, products);
    const CgStepPush step{count, tolerance};
    rec.dispatch("cg_step", all, {{"direction", g.direction}, {"pressure", s.pressure[0]}, {"products", products}, {"residual", stop}},
                 step);
}

}  // namespace wisp
