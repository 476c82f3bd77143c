// SPDX-License-Identifier: MIT
#include "compute/smoke/passes.h"
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
    std::array<std::uint32_t, 4> gone{};  // see LiquidFields
    [[nodiscard]] double get(Record r, std::size_t n) const { return static_cast<double>(records[static_cast<std::size_t>(r)][n]); }
};

AdvectionError errorOf(const Measured& m) {
    const auto number = [&](std::size_t n) { return m.get(Record::Error, n); };
    const auto ratio = [](double a, double b) { return b > 0.0 ? a / b : 0.0; };
    return {.l1 = ratio(number(0), number(2)),
            .l2 = std::sqrt(ratio(number(1), number(3))),
            .overshoot = std::max(number(6), number(7)),
            .mass = ratio(number(4) - number(5), number(5))};
}

double rms(double squares, double count) { return count > 0.0 ? std::sqrt(squares / count) : 0.0; }

void evaluateLiquid(Quality& q, const Measured& m, const GridSettings& grid, std::uint32_t particlesPerCell) {
    const double h = static_cast<double>(grid.cellSize()), particleVolume = h * h * h / particlesPerCell;
    q.fineDivergenceBefore = 0.0;  // is not measured
    q.fineDivergenceRms = q.divergenceRms = rms(m.get(Record::Surface, 1), m.get(Record::Surface, 2));
    q.divergenceMax = m.get(Record::Surface, 6);
    q.kineticEnergy = m.get(Record::Particles, 1) * particleVolume;
    q.maxSpeed = m.get(Record::Particles, 7);
    q.mass = m.get(Record::Particles, 0) * particleVolume;
    q.leakedMass = m.get(Record::Particles, 3) * particleVolume;
    q.liquid = LiquidQuality{.particles = m.get(Record::Particles, 0),
                             .volume = m.get(Record::Surface, 0) * h * h * h,
                             .energy = q.kineticEnergy + m.get(Record::Particles, 2) * particleVolume,
                             .inSolids = m.get(Record::Particles, 3),
                             .left = static_cast<double>(m.gone[0]),
                             .lost = static_cast<double>(m.gone[1]),
                             .surplus = static_cast<double>(m.gone[2]),
                             .unborn = static_cast<double>(m.gone[3])};
    q.notFinite = m.gone[1] > 0 || m.get(Record::Particles, 4) > 0.0 || !std::isfinite(q.kineticEnergy) ? "particles" : "";
}

Quality evaluate(const Measured& m, const GridSettings& grid, bool fades) {
    const double h = static_cast<double>(grid.cellSize()), volume = h * h * h;
    const double scalarVolume = volume * glm::compMul(glm::dvec3(grid.cells) / glm::dvec3(grid.scalarCells()));
    Quality q;
    q.fineDivergenceRms = rms(m.get(Record::Velocity, 0), m.get(Record::Velocity, 1));
    q.fineDivergenceBefore = rms(m.get(Record::Before, 0), m.get(Record::Before, 1));
    q.divergenceRms = rms(m.get(Record::Velocity, 4), m.get(Record::Velocity, 5));
    q.divergenceMax = m.get(Record::Velocity, 6);
    if (grid.pressureRatio > 1) q.splitBlocks = m.get(Record::Blocks, 0);
    if (grid.pressureRatio == 4) q.splitBlocks += m.get(Record::MiddleBlocks, 0);
    const double b2 = m.get(Record::Residual, 1);
    q.residual = b2 > 0.0 ? std::sqrt(m.get(Record::Residual, 0) / b2) : 0.0;
    q.mass = m.get(Record::Scalars, 0) * scalarVolume;
    q.leakedMass = m.get(Record::Scalars, 1) * scalarVolume;
    if (fades) q.fadedMass = m.get(Record::Faded, 0) * scalarVolume;  // of a record that was not read: 0
    q.kineticEnergy = m.get(Record::Velocity, 2) * volume;
    q.maxSpeed = m.get(Record::Velocity, 7);
    // Sums that overflow count too.
    if (m.get(Record::Velocity, 3) > 0.0 || !std::isfinite(q.kineticEnergy)) q.notFinite = "velocity";
    else if (m.get(Record::Scalars, 2) > 0.0 || !std::isfinite(q.mass)) q.notFinite = "density";
    else if (m.get(Record::Scalars, 3) > 0.0) q.notFinite = "temperature";
    return q;
}

void recordVelocity(engine::Recorder& rec, Fields& f, const engine::Image& velocity, Record into) {
    const glm::uvec3 threads = f.stridedThreads(f.pressureCells());
    rec.dispatch("measure_velocity", threads,
                 {{"velocity", velocity},
                  {"velocityNew", f.velocity},
                  {"openness", f.openness},
                  {"weights", f.weights},
                  {"partialsOut", f.partials}});
    recordFold(rec, f, threads, f.record(into));
}

void recordBlocks(engine::Recorder& rec, Fields& f, const gpu::Level& level, const engine::Image& openness, const BlockFields& blocks,
                  Record into) {
    const glm::uvec3 threads = f.stridedThreads((glm::uvec3(level.cells) + 1u) / 2u);
    rec.dispatch("measure_blocks", threads, {{"openness", openness}, {"openFaces", blocks.openFaces}, {"partialsOut", f.partials}}, level);
    recordFold(rec, f, threads, f.record(into));
}

void recordLiquidMeasure(engine::Recorder& rec, Fields& f, glm::vec3 gravity) {
    const LiquidFields& l = *f.liquid;
    const glm::uvec3 threads = f.stridedThreads(l.particles());
    rec.dispatch("measure_liquid", threads,
                 {{"places", l.places[0]}, {"velocities", l.velocities[0]}, {"cellFirst", l.cellFirst[0]}, {"partialsOut", f.partials}},
                 gravity);
    recordFold(rec, f, threads, f.record(Record::Particles));
    rec.dispatch("measure_surface", reductionThreads(f.cells()),
                 {{"velocity", f.velocity}, {"openness", f.openness}, {"surface", l.surface}, {"partialsOut", f.partials}});
    recordFold(rec, f, reductionThreads(f.cells()), f.record(Record::Surface));
}

void recordSmokeMeasure(engine::Recorder& rec, Fields& f) {
    recordVelocity(rec, f, f.projected(), Record::Velocity);
    rec.dispatch("measure_scalars", f.stridedThreads(f.scalarCells()),
                 {{"scalars", f.scalars[0]}, {"openness", f.openness}, {"partialsOut", f.partials}});
    recordFold(rec, f, f.stridedThreads(f.scalarCells()), f.record(Record::Scalars));

    if (f.grid.pressureRatio > 1) {
        recordBlocks(rec, f, {.cells = f.cells(), .fineCells = 1, .keep = 1.0f, .first = {}}, f.openness, f.blocks, Record::Blocks);
        if (f.middle)
            recordBlocks(rec, f, {.cells = f.middle->cells, .fineCells = 2, .keep = 1.0f, .first = {}}, f.middle->openness,
                         f.middle->blocks, Record::MiddleBlocks);
    }

    if (f.exactKnown) {
        rec.dispatch("measure_error", reductionThreads(f.scalarCells()),
                     {{"scalars", f.scalars[0]}, {"exact", f.exact}, {"partialsOut", f.partials}}, f.greatest);
        recordFold(rec, f, reductionThreads(f.scalarCells()), f.record(Record::Error));
    }
}

}  // namespace

void recordMeasureBefore(engine::Recorder& rec, Fields& f) { recordVelocity(rec, f, f.velocity, Record::Before); }

void recordMeasure(engine::Recorder& rec, Fields& f, const Settings& s, bool knowsResidual,
                   const std::function<void(const Quality&)>& deliver) {
    if (!f.isPrescribed() && !knowsResidual) recordResidual(rec, f);
    if (f.liquid) recordLiquidMeasure(rec, f, s.flow.gravity);
    else recordSmokeMeasure(rec, f);
    const auto measured = std::make_shared<Measured>();
    const auto bodies = f.isPrescribed() ? nullptr : recordBodyForces(rec, f, s);
    if (f.liquid)
        rec.read(f.liquid->gone,
                 [measured](std::span<const std::byte> bytes) { std::memcpy(measured->gone.data(), bytes.data(), sizeof measured->gone); });
    for (std::size_t n = 0; n < f.records.size(); ++n) {
        if (static_cast<Record>(n) == Record::Faded && !f.fadedKnown) continue;
        const bool last = n + 1 == f.records.size();
        rec.read(f.records[n],
                 [measured, bodies, n, last, grid = f.grid, exact = f.exactKnown, given = f.isPrescribed(), fades = s.flow.sideFade > 0.0f,
                  perCell = f.liquid ? s.liquid.particlesPerCell : 0, deliver](std::span<const std::byte> bytes) {
                     std::memcpy(measured->records[n].data(), bytes.data(), sizeof(Numbers));
                     if (!last) return;
                     Quality quality = evaluate(*measured, grid, fades);
                     if (perCell > 0) evaluateLiquid(quality, *measured, grid, perCell);
                     if (bodies) quality.bodies = *bodies;
                     if (given) quality.residual = quality.fineDivergenceBefore = 0.0;  // nothing was solved
                     if (exact && measured->get(Record::Error, 2) > 0.0)
                         quality.error = errorOf(*measured);  // relative to what there should be
                     deliver(quality);
                 });
    }
}

}  // namespace wisp
