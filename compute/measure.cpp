// SPDX-License-Identifier: MIT
#include "compute/passes.h"
#include "shaders/shared/level.h"

#define GLM_ENABLE_EXPERIMENTAL
#include <glm/gtx/component_wise.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

namespace wisp {
namespace {

using Numbers = std::array<float, 8>;  // six sums and two maxima, see shaders/shared/reduce.glsl

struct Measured {
    std::array<Numbers, static_cast<std::size_t>(Record::Count)> records{};
    [[nodiscard]] double get(Record r, std::size_t n) const { return static_cast<double>(records[static_cast<std::size_t>(r)][n]); }
};

AdvectionError errorOf(const Measured& m) {
    const auto number = [&](std::size_t n) { return m.get(Record::Error, n); };
    const auto ratio = [](double a, double b) { return b > 0.0 ? a / b : 0.0; };
    return {.l1 = ratio(number(0), number(2)), .l2 = std::sqrt(ratio(number(1), number(3))), .overshoot = std::max(number(6), number(7)),
            .mass = ratio(number(4) - number(5), number(5))};
}

double rms(double squares, double count) { return count > 0.0 ? std::sqrt(squares / count) : 0.0; }

Quality evaluate(const Measured& m, const GridSettings& grid) {
    const double h = static_cast<double>(grid.cellSize()), volume = h * h * h;
    const double scalarVolume = volume * glm::compMul(glm::dvec3(grid.cells) / glm::dvec3(grid.scalarCells()));
    Quality q;
    q.fineDivergenceRms = rms(m.get(Record::Fine, 0), m.get(Record::Fine, 1));
    q.fineDivergenceBefore = rms(m.get(Record::Before, 0), m.get(Record::Before, 1));
    q.divergenceRms = rms(m.get(Record::Coarse, 0), m.get(Record::Coarse, 1));
    q.divergenceMax = m.get(Record::Coarse, 6);
    if (grid.pressureRatio > 1) q.splitBlocks = m.get(Record::Blocks, 0);
    if (grid.pressureRatio == 4) q.splitBlocks += m.get(Record::MiddleBlocks, 0);
    const double b2 = m.get(Record::Residual, 1);
    q.residual = b2 > 0.0 ? std::sqrt(m.get(Record::Residual, 0) / b2) : 0.0;
    q.mass = m.get(Record::Scalars, 0) * scalarVolume;
    q.leakedMass = m.get(Record::Scalars, 1) * scalarVolume;
    q.kineticEnergy = m.get(Record::Fine, 2) * volume;
    q.maxSpeed = m.get(Record::Fine, 7);
    // Sums that overflow count too.
    if (m.get(Record::Fine, 3) > 0.0 || !std::isfinite(q.kineticEnergy)) q.notFinite = "velocity";
    else if (m.get(Record::Scalars, 2) > 0.0 || !std::isfinite(q.mass)) q.notFinite = "density";
    else if (m.get(Record::Scalars, 3) > 0.0) q.notFinite = "temperature";
    return q;
}

void recordFine(engine::Recorder& rec, Fields& f, const engine::Image& velocity, Record into) {
    rec.dispatch("measure_fine", reductionThreads(f.cells()),
                 {{"velocity", velocity}, {"velocityNew", f.velocity}, {"openness", f.openness}, {"partialsOut", f.partials}});
    recordFold(rec, f, reductionThreads(f.cells()), into);
}

void recordBlocks(engine::Recorder& rec, Fields& f, const gpu::Level& level, const engine::Image& openness, const BlockFields& blocks, Record into) {
    const glm::uvec3 threads = reductionThreads((glm::uvec3(level.cells) + 1u) / 2u);
    rec.dispatch("measure_blocks", threads, {{"openness", openness}, {"openFaces", blocks.openFaces}, {"partialsOut", f.partials}}, level);
    recordFold(rec, f, threads, into);
}

}  // namespace

void recordMeasureBefore(engine::Recorder& rec, Fields& f) { recordFine(rec, f, f.velocity, Record::Before); }

void recordMeasure(engine::Recorder& rec, Fields& f, const std::function<void(const Quality&)>& deliver) {
    if (!f.isPrescribed()) recordResidual(rec, f);
    recordFine(rec, f, f.projected(), Record::Fine);
    rec.dispatch("measure_coarse", reductionThreads(f.pressureCells()),
                 {{"velocity", f.projected()}, {"openness", f.openness}, {"weights", f.weights}, {"partialsOut", f.partials}});
    recordFold(rec, f, reductionThreads(f.pressureCells()), Record::Coarse);
    rec.dispatch("measure_scalars", reductionThreads(f.scalarCells()),
                 {{"scalars", f.scalars[0]}, {"openness", f.openness}, {"partialsOut", f.partials}});
    recordFold(rec, f, reductionThreads(f.scalarCells()), Record::Scalars);

    if (f.grid.pressureRatio > 1) {
        recordBlocks(rec, f, {.cells = f.cells(), .fineCells = 1, .keep = 1.0f, .first = {}}, f.openness, f.blocks, Record::Blocks);
        if (f.middle) recordBlocks(rec, f, {.cells = f.middle->cells, .fineCells = 2, .keep = 1.0f, .first = {}}, f.middle->openness, f.middle->blocks, Record::MiddleBlocks);
    }

    if (f.exactKnown) {
        rec.dispatch("measure_error", reductionThreads(f.scalarCells()), {{"scalars", f.scalars[0]}, {"exact", f.exact}, {"partialsOut", f.partials}}, f.greatest);
        recordFold(rec, f, reductionThreads(f.scalarCells()), Record::Error);
    }

    const auto measured = std::make_shared<Measured>();
    for (std::size_t n = 0; n < f.records.size(); ++n) {
        const bool last = n + 1 == f.records.size();
        rec.read(f.records[n], [measured, n, last, grid = f.grid, exact = f.exactKnown, given = f.isPrescribed(), deliver](std::span<const std::byte> bytes) {
            std::memcpy(measured->records[n].data(), bytes.data(), sizeof(Numbers));
            if (!last) return;
            Quality quality = evaluate(*measured, grid);
            if (given) quality.residual = quality.fineDivergenceBefore = 0.0;  // nothing was solved
            if (exact && measured->get(Record::Error, 2) > 0.0) quality.error = errorOf(*measured);  // relative to what there should be
            deliver(quality);
        });
    }
}

}  // namespace wisp
