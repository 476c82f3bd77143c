// SPDX-License-Identifier: MIT
#include "compute/pressure/multigrid.h"
#include "compute/pressure/push.h"
#include "compute/smoke/passes.h"

namespace wisp {

ConjugateGradient::ConjugateGradient(engine::Device& device, const gpu::PressureLevel& finest) {
    const auto buffer = [&](const char* name) {
        return engine::Buffer(device, {.name = name, .bytes = static_cast<std::uint64_t>(gpu::cellCount(finest)) * sizeof(float)});
    };
    remainder = buffer("gradient remainder");
    preconditioned = buffer("gradient preconditioned");
    direction = buffer("gradient direction");
    applied = buffer("gradient applied");
}

void recordConjugateGradient(engine::Recorder& rec, Fields& f, bool first, float tolerance) {
    const ConjugateGradient& g = f.gradient;
    const gpu::PressureLevel level = f.pressureLevel();
    const int count = gpu::cellCount(level);
    const glm::uvec3 all = reductionThreads(f.pressureCells()), strided = f.stridedThreads(f.pressureCells());
    const engine::Buffer &stop = f.record(Record::Residual), &products = f.record(Record::Step), &dots = f.record(Record::Direction);
    rec.dispatch(
        "cg_residual", f.pressureCells(),
        {{"weights", few(f.weights)}, {"regular", f.regular}, {"rhs", f.rhs}, {"pressureIn", f.pressure[0]}, {"remainderOut", g.remainder}},
        level);
    recordCycleFromZero(rec, f, g.remainder, g.preconditioned, tolerance);
    if (!first) {
        rec.dispatch("cg_dot", strided, {{"preconditioned", g.preconditioned}, {"applied", g.applied}, {"partialsOut", f.partials}}, count);
        recordFold(rec, f, strided, f.record(Record::Direction));
    }
    const CgDirectionPush turn{count, first ? 1 : 0, tolerance};
    rec.dispatch(
        "cg_direction", all,
        {{"preconditioned", g.preconditioned}, {"direction", g.direction}, {"dots", dots}, {"products", products}, {"residual", stop}},
        turn);
    const JacobiPush apply{level, tolerance};
    rec.dispatch("cg_apply", strided,
                 {{"weights", few(f.weights)},
                  {"regular", f.regular},
                  {"direction", g.direction},
                  {"remainder", g.remainder},
                  {"appliedOut", g.applied},
                  {"partialsOut", f.partials},
                  {"residual", stop}},
                 apply);
    recordFold(rec, f, strided, f.record(Record::Step));
    const CgStepPush step{count, tolerance};
    rec.dispatch("cg_step", all, {{"direction", g.direction}, {"pressure", f.pressure[0]}, {"products", products}, {"residual", stop}},
                 step);
}

}  // namespace wisp
