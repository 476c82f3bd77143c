// SPDX-License-Identifier: MIT
#include "compute/passes.h"

#include <algorithm>
#include <utility>

namespace wisp {
namespace {

constexpr std::uint32_t kSweepsPerCheck = 10;  // a residual costs about two sweeps

void recordJacobi(engine::Recorder& rec, Fields& f, const PressureSettings& p) {
    rec.dispatch("jacobi", f.pressureCells(),
                 {{"weights", f.weights}, {"divergence", f.divergence}, {"pressureIn", f.pressure[0]},
                  {"pressureOut", f.pressure[1]}, {"regular", f.regular}, {"residual", f.record(Record::Residual)}}, p.tolerance);
    std::swap(f.pressure[0], f.pressure[1]);
}

void recordRedBlackSor(engine::Recorder& rec, Fields& f, const PressureSettings& p) {
    glm::uvec3 pairs = f.pressureCells();
    pairs.x = (pairs.x + 1) / 2;
    for (int colour = 0; colour < 2; ++colour) {
        const struct {
            float tolerance, omega;
            int colour;
        } push{p.tolerance, p.omega, colour};
        rec.dispatch("red_black_sor", pairs,
                     {{"weights", f.weights}, {"divergence", f.divergence}, {"pressureIn", f.pressure[0]},
                      {"regular", f.regular}, {"residual", f.record(Record::Residual)}}, push);
    }
}

// Without an open side q is known up to a constant, and the right-hand side must have no mean.
void recordRemoveMean(engine::Recorder& rec, Fields& f) {
    if (std::ranges::any_of(f.grid.sides, [](Side side) { return side == Side::Open; })) return;
    recordResidual(rec, f);
    rec.dispatch("remove_mean", f.pressureCells(),
                 {{"weights", f.weights}, {"divergence", f.divergence}, {"sums", f.record(Record::Residual)}});
}

}  // namespace

void recordDownsample(engine::Recorder& rec, Fields& f) {
    rec.dispatch("downsample", f.pressureCells(),
                 {{"velocity", f.velocity}, {"openness", f.openness}, {"divergenceOut", f.divergence}});
}

void recordFold(engine::Recorder& rec, Fields& f, glm::uvec3 cells, Record into) {
    const glm::uvec3 threads = reductionThreads(cells);
    rec.dispatch("fold", {256, 1, 1}, {{"partialsIn", f.partials}, {"partialsOut", f.record(into)}}, threads.x / 256 * threads.y);
}

void recordResidual(engine::Recorder& rec, Fields& f) {
    rec.dispatch("pressure_residual", reductionThreads(f.pressureCells()),
                 {{"weights", f.weights}, {"divergence", f.divergence}, {"pressureIn", f.pressure[0]}, {"partialsOut", f.partials}});
    recordFold(rec, f, f.pressureCells(), Record::Residual);
}

void recordPressure(engine::Recorder& rec, Fields& f, const Settings& s) {
    recordRemoveMean(rec, f);
    for (std::uint32_t n = 0; n < s.pressure.iterations; ++n) {
        if (s.pressure.tolerance > 0.0f && n % kSweepsPerCheck == 0) recordResidual(rec, f);
        switch (s.pressure.solver) {
            case PressureSolver::Jacobi: recordJacobi(rec, f, s.pressure); break;
            case PressureSolver::RedBlackSor: recordRedBlackSor(rec, f, s.pressure); break;
        }
    }
}

}  // namespace wisp
