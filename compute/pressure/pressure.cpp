// SPDX-License-Identifier: MIT
#include "compute/pressure/pressure.h"

#include "compute/pressure/conjugate_gradient.h"
#include "compute/pressure/multigrid.h"
#include "compute/pressure/push.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

namespace wisp {
namespace {

using engine::Traffic;

constexpr std::uint32_t kTraced = 100;  // largest number of residuals of one solve

// With fewer cells an H200 has too few threads, which costs more than wider loads gain; measured (docs/performance.md).
constexpr int kCellsForVec4 = 1 << 19;

// A residual costs about two sweeps.
std::uint32_t iterationsPerCheck(PressureSolver solver) {
    return solver == PressureSolver::Jacobi || solver == PressureSolver::RedBlackSor ? 10 : 1;
}

void recordJacobi(engine::Recorder& rec, const Domain& d, PressureSystem& s, const PressureSettings& p) {
    const JacobiPush push{d.pressureLevel(), p.tolerance};
    const bool vec4s = d.grid.periodicAxes() == 0 && gpu::rowsOfVec4(push.level) && gpu::cellCount(push.level) >= kCellsForVec4;
    const glm::uvec3 cells = d.pressureCells();
    rec.dispatch(vec4s ? "jacobi_vec4" : "jacobi", vec4s ? glm::uvec3(cells.x / 8, cells.y, cells.z) : cells,
                 {{"weights", Traffic::none(s.weights)},
                  {"rhs", s.rhs},
                  {"pressureIn", s.pressure[0]},
                  {"pressureOut", s.pressure[1]},
                  {"regular", s.regular},
                  {"residual", s.residual}},
                 push);
    std::swap(s.pressure[0], s.pressure[1]);
}

void recordRedBlackSor(engine::Recorder& rec, const Domain& d, PressureSystem& s, const PressureSettings& p) {
    const int colours = gpu::colourCount(d.pressureLevel(), static_cast<int>(d.grid.periodicAxes()));
    glm::uvec3 threads = d.pressureCells();
    if (colours == 2) threads.x = (threads.x + 1) / 2;  // else one thread per cell
    const auto ofColour = [&](const engine::Buffer& b) { return Traffic::bytes(b, b.bytes() / static_cast<std::uint64_t>(colours)); };
    for (int colour = 0; colour < colours; ++colour) {
        const SorPush push{d.pressureLevel(), p.tolerance, p.omega, colour};
        rec.dispatch("red_black_sor", threads,
                     {{"weights", Traffic::none(s.weights)},
                      {"rhs", ofColour(s.rhs)},
                      {"pressureIn", Traffic::bytes(s.pressure[0], s.pressure[0].bytes(), ofColour(s.pressure[0]).read)},
                      {"regular", ofColour(s.regular)},
                      {"residual", s.residual}},
                     push);
    }
}

// `sum`: index in PressureSystem::residual of the sum of the values.
void recordRemoveMean(engine::Recorder& rec, const Domain& d, PressureSystem& s, const engine::Buffer& values, int sum) {
    recordResidual(rec, d, s);
    const RemoveMeanPush push{d.pressureLevel(), sum};
    rec.dispatch("remove_mean", d.pressureCells(), {{"weights", s.weights}, {"values", values}, {"sums", s.residual}}, push);
}

void recordIteration(engine::Recorder& rec, const Domain& d, PressureSystem& s, const PressureSettings& p, std::uint32_t n) {
    switch (p.solver) {
        case PressureSolver::Jacobi: recordJacobi(rec, d, s, p); break;
        case PressureSolver::RedBlackSor: recordRedBlackSor(rec, d, s, p); break;
        case PressureSolver::Multigrid: recordCycle(rec, d, s, p.tolerance); break;
        case PressureSolver::Mgpcg: recordConjugateGradient(rec, d, s, n == 0, p.tolerance); break;
    }
}

// Appends |r| / |b| of PressureSystem::residual to the trace.
void recordTrace(engine::Recorder& rec, const PressureSystem& s, const std::shared_ptr<std::vector<double>>& trace) {
    rec.read(s.residual, [trace](std::span<const std::byte> bytes) {
        std::array<float, 2> sums;  // r^2, b^2
        std::memcpy(sums.data(), bytes.data(), sizeof sums);
        trace->push_back(sums[1] > 0.0f ? std::sqrt(static_cast<double>(sums[0]) / static_cast<double>(sums[1])) : 0.0);
    });
}

}  // namespace

bool isClosed(const GridSettings& grid) {
    for (std::size_t n = 0; n < 6; ++n)
        if (grid.side(n) == Side::Open) return false;
    return true;
}

void recordResidual(engine::Recorder& rec, const Domain& d, PressureSystem& s) {
    const glm::uvec3 threads = d.stridedThreads(d.pressureCells());
    rec.dispatch("pressure_residual", threads,
                 {{"weights", Traffic::none(s.weights)},
                  {"regular", s.regular},
                  {"rhs", s.rhs},
                  {"pressureIn", s.pressure[0]},
                  {"partialsOut", d.partials}},
                 d.pressureLevel());
    recordReduceFinal(rec, d, threads, s.residual);
}

void recordPressure(engine::Recorder& rec, const Domain& d, PressureSystem& s, const PressureSettings& p, bool closed,
                    const std::shared_ptr<std::vector<double>>& trace) {
    const std::uint32_t check = iterationsPerCheck(p.solver), traced = std::max(check, (p.iterations + kTraced - 1) / kTraced);
    if (closed) recordRemoveMean(rec, d, s, s.rhs, 2);
    for (std::uint32_t n = 0; n < p.iterations; ++n) {
        const bool tracing = trace && n % traced == 0;
        if (tracing || (p.tolerance > 0.0f && n % check == 0)) recordResidual(rec, d, s);
        if (tracing) recordTrace(rec, s, trace);
        recordIteration(rec, d, s, p, n);
    }
    if (closed) recordRemoveMean(rec, d, s, s.pressure[0], 4);
    if (!trace) return;
    recordResidual(rec, d, s);
    recordTrace(rec, s, trace);
}

}  // namespace wisp
