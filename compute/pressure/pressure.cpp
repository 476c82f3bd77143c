// SPDX-License-Identifier: MIT
#include "compute/smoke/passes.h"

#include "compute/pressure/push.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

namespace wisp {
namespace {

constexpr std::uint32_t kTraced = 100;  // residuals of one solve at most

constexpr int kCellsForFours =
    1 << 19;  // fewer threads than an H200 keeps busy lose more than wider loads gain; measured (docs/performance.md)

// A residual costs about two sweeps.
std::uint32_t iterationsPerCheck(PressureSolver solver) {
    return solver == PressureSolver::Jacobi || solver == PressureSolver::RedBlackSor ? 10 : 1;
}

void recordJacobi(engine::Recorder& rec, Fields& f, const PressureSettings& p) {
    const JacobiPush push{f.pressureLevel(), p.tolerance};
    const bool fours = f.grid.periodicAxes() == 0 && gpu::rowsOfFours(push.level) && gpu::cellCount(push.level) >= kCellsForFours;
    const glm::uvec3 cells = f.pressureCells();
    rec.dispatch(fours ? "jacobi_fours" : "jacobi", fours ? glm::uvec3(cells.x / 8, cells.y, cells.z) : cells,
                 {{"weights", few(f.weights)},
                  {"rhs", f.rhs},
                  {"pressureIn", f.pressure[0]},
                  {"pressureOut", f.pressure[1]},
                  {"regular", f.regular},
                  {"residual", f.record(Record::Residual)}},
                 push);
    std::swap(f.pressure[0], f.pressure[1]);
}

void recordRedBlackSor(engine::Recorder& rec, Fields& f, const PressureSettings& p) {
    const int colours = gpu::colourCount(f.pressureLevel(), static_cast<int>(f.grid.periodicAxes()));
    glm::uvec3 threads = f.pressureCells();
    if (colours == 2) threads.x = (threads.x + 1) / 2;  // else a thread a cell
    const auto ofColour = [&](const engine::Buffer& b) { return part(b, b.bytes() / static_cast<std::uint64_t>(colours)); };
    for (int colour = 0; colour < colours; ++colour) {
        const SorPush push{f.pressureLevel(), p.tolerance, p.omega, colour};
        rec.dispatch("red_black_sor", threads,
                     {{"weights", few(f.weights)},
                      {"rhs", ofColour(f.rhs)},
                      {"pressureIn", part(f.pressure[0], f.pressure[0].bytes(), ofColour(f.pressure[0]).bytes)},
                      {"regular", ofColour(f.regular)},
                      {"residual", f.record(Record::Residual)}},
                     push);
    }
}

bool isSingular(const Fields& f) {
    if (f.liquid)
        return false;  // its surface has a pressure. A closed box that is wholly full has none: then q drifts, of which only differences
                       // matter
    for (std::size_t n = 0; n < 6; ++n)
        if (f.grid.side(n) == Side::Open) return false;
    return true;
}

// `sum` says which of the sums in Record::Residual is that of the values.
void recordRemoveMean(engine::Recorder& rec, Fields& f, const engine::Buffer& values, int sum) {
    recordResidual(rec, f);
    const RemoveMeanPush push{f.pressureLevel(), sum};
    rec.dispatch("remove_mean", f.pressureCells(), {{"weights", f.weights}, {"values", values}, {"sums", f.record(Record::Residual)}},
                 push);
}

void recordIteration(engine::Recorder& rec, Fields& f, const PressureSettings& p, std::uint32_t n) {
    switch (p.solver) {
        case PressureSolver::Jacobi: recordJacobi(rec, f, p); break;
        case PressureSolver::RedBlackSor: recordRedBlackSor(rec, f, p); break;
        case PressureSolver::Multigrid: recordCycle(rec, f, p.tolerance); break;
        case PressureSolver::Mgpcg: recordConjugateGradient(rec, f, n == 0, p.tolerance); break;
    }
}

// Appends |r| / |b| of Record::Residual to the trace.
void recordTrace(engine::Recorder& rec, Fields& f, const std::shared_ptr<std::vector<double>>& trace) {
    rec.read(f.record(Record::Residual), [trace](std::span<const std::byte> bytes) {
        std::array<float, 2> sums;  // r^2, b^2
        std::memcpy(sums.data(), bytes.data(), sizeof sums);
        trace->push_back(sums[1] > 0.0f ? std::sqrt(static_cast<double>(sums[0]) / static_cast<double>(sums[1])) : 0.0);
    });
}

}  // namespace

void recordFold(engine::Recorder& rec, Fields& f, glm::uvec3 threads, const engine::Buffer& into) {
    rec.dispatch("fold", {256, 1, 1}, {{"partialsIn", f.partials}, {"partialsOut", into}}, threads.x / 256 * threads.y);
}

void recordResidual(engine::Recorder& rec, Fields& f) {
    const glm::uvec3 threads = f.stridedThreads(f.pressureCells());
    rec.dispatch(
        "pressure_residual", threads,
        {{"weights", few(f.weights)}, {"regular", f.regular}, {"rhs", f.rhs}, {"pressureIn", f.pressure[0]}, {"partialsOut", f.partials}},
        f.pressureLevel());
    recordFold(rec, f, threads, f.record(Record::Residual));
}

void recordPressure(engine::Recorder& rec, Fields& f, const Settings& s, const std::shared_ptr<std::vector<double>>& trace) {
    const PressureSettings& p = s.pressure;
    const std::uint32_t check = iterationsPerCheck(p.solver), traced = std::max(check, (p.iterations + kTraced - 1) / kTraced);
    if (isSingular(f)) recordRemoveMean(rec, f, f.rhs, 2);
    for (std::uint32_t n = 0; n < p.iterations; ++n) {
        const bool tracing = trace && n % traced == 0;
        if (tracing || (p.tolerance > 0.0f && n % check == 0)) recordResidual(rec, f);
        if (tracing) recordTrace(rec, f, trace);
        recordIteration(rec, f, p, n);
    }
    if (isSingular(f)) recordRemoveMean(rec, f, f.pressure[0], 4);
    if (!trace) return;
    recordResidual(rec, f);
    recordTrace(rec, f, trace);
}

}  // namespace wisp
