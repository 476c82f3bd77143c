// SPDX-License-Identifier: MIT
#include "compute/sim/measure.h"

#include "compute/pressure/pressure.h"
#include "compute/sim/momentum.h"
#include "compute/smoke/smoke_passes.h"

#define GLM_ENABLE_EXPERIMENTAL
#include <glm/gtx/component_wise.hpp>

#include <algorithm>

namespace wisp {
namespace {

using engine::Traffic;

struct Measured {
    std::array<Reduced, static_cast<std::size_t>(Record::Count)> records{};
    Reduced residual{}, faded{};
    gpu::BrickList list{};
    gpu::BrickLosses losses{};
    double crossed = 0.0;  ///< density in scalar cells
    Reduced& of(Record r) { return records[static_cast<std::size_t>(r)]; }
    [[nodiscard]] const Reduced& of(Record r) const { return records[static_cast<std::size_t>(r)]; }
    [[nodiscard]] double get(Record r, std::size_t n) const { return static_cast<double>(of(r)[n]); }
};

/// Facts about the step that `evaluate` needs.
struct Measuring {
    GridSettings grid;
    bool exactKnown, isPrescribed, fades, burns;
    double heat;  ///< of fuel [J/kg]
    double airDensity, timeStep;
    StepTrace last;
};

SparseQuality sparseOf(const Measured& m, const GridSettings& grid, double scalarVolume) {
    const double bricks = static_cast<double>(m.list.kept + m.list.opened), edge = WISP_BRICK_EDGE;
    return {.activeBricks = bricks,
            .activeShare = std::min(1.0, bricks * edge * edge * edge / static_cast<double>(countOf(grid.cells))),
            .refusedBricks = static_cast<double>(m.list.refused),
            .droppedMass = (m.losses.droppedLow + m.losses.droppedHigh * 4294967296.0) / WISP_LOSS_PARTS * scalarVolume};
}

constexpr double kHeatCapacity = 1005.0;  // of air at constant pressure [J/(kg K)]

FireQuality fireOf(const Measured& m, const Measuring& step, double h, double scalarVolume) {
    const double mass = step.airDensity * scalarVolume;
    return {.heatReleased = m.get(Record::Fire, 1) * mass * step.heat,
            .fuel = m.get(Record::Fire, 0) * mass,
            .hottest = m.get(Record::Fire, 6),
            .outflow = m.get(Record::Expansion, 0) * h * h,
            .expansion = m.get(Record::Expansion, 1) * h * h * h};
}

AdvectionError errorOf(const Measured& m) {
    const auto number = [&](std::size_t n) { return m.get(Record::Error, n); };
    const auto ratio = [](double a, double b) { return b > 0.0 ? a / b : 0.0; };
    return {.l1 = ratio(number(0), number(2)),
            .l2 = std::sqrt(ratio(number(1), number(3))),
            .overshoot = std::max(number(6), number(7)),
            .mass = ratio(number(4) - number(5), number(5))};
}

void addMomentum(Quality& q, const Measured& m, const Measuring& step) {
    if (step.isPrescribed) return;
    const double h = static_cast<double>(step.grid.cellSize()), cellMass = step.airDensity * h * h * h;
    const MomentumRecords records{m.of(Record::MomentumAtStart), m.of(Record::MomentumAfterSources), m.of(Record::Force),
                                  m.of(Record::MomentumProjected), m.of(Record::MomentumAdvected)};
    q.momentum.emplace();
    for (std::size_t axis = 0; axis < 3; ++axis) (*q.momentum)[axis] = cellMass * static_cast<double>(records.advected[axis]);
    if (step.last.traced && !step.grid.sparse)
        q.momentumBudget = momentumBudget(records, cellMass, h, step.timeStep, static_cast<double>(step.last.keep), q.bodies,
                                          step.grid.periodicAxes() != 7u);
}

Quality evaluate(const Measured& m, const Measuring& step) {
    const GridSettings& grid = step.grid;
    const double h = static_cast<double>(grid.cellSize()), volume = h * h * h;
    const double scalarVolume = volume * glm::compMul(glm::dvec3(grid.cells) / glm::dvec3(grid.scalarCells()));
    const Reduced &velocity = m.of(Record::Velocity), &before = m.of(Record::Before);
    Quality q;
    q.fineDivergenceRms = rms(velocity[0], velocity[1]);
    q.fineDivergenceBefore = rms(before[0], before[1]);
    q.divergenceRms = rms(velocity[4], velocity[5]);
    q.divergenceMax = m.get(Record::Velocity, 6);
    if (grid.pressureRatio > 1) q.splitBlocks = m.get(Record::Blocks, 0);
    if (grid.pressureRatio == 4) q.splitBlocks += m.get(Record::MiddleBlocks, 0);
    q.residual = rms(m.residual[0], m.residual[1]);
    q.mass = m.get(Record::Scalars, 0) * scalarVolume;
    q.leakedMass = m.get(Record::Scalars, 1) * scalarVolume;
    q.crossedMass = m.crossed * scalarVolume;
    if (step.burns) q.fire = fireOf(m, step, h, scalarVolume);
    if (grid.sparse) q.sparse = sparseOf(m, grid, scalarVolume);
    if (step.fades) q.fadedMass = static_cast<double>(m.faded[0]) * scalarVolume;  // 0 if the record was not read
    q.kineticEnergy = m.get(Record::Velocity, 2) * volume;
    q.maxSpeed = m.get(Record::Velocity, 7);
    // Sums that overflow count too.
    if (m.get(Record::Velocity, 3) > 0.0 || !std::isfinite(q.kineticEnergy)) q.notFinite = "velocity";
    else if (m.get(Record::Scalars, 2) > 0.0 || !std::isfinite(q.mass)) q.notFinite = "density";
    else if (m.get(Record::Scalars, 3) > 0.0) q.notFinite = "temperature";
    else if (step.burns && m.get(Record::Fire, 2) > 0.0) q.notFinite = "fuel";
    if (step.isPrescribed) q.residual = q.fineDivergenceBefore = 0.0;            // nothing was solved
    if (step.exactKnown && m.get(Record::Error, 2) > 0.0) q.error = errorOf(m);  // relative to the exact density, which must not be 0
    return q;
}

void measureVelocity(engine::Recorder& rec, const Domain& d, const Flow& flow, const PressureSystem& p, const engine::Image& velocity,
                     const engine::Buffer& into) {
    const glm::uvec3 threads = d.stridedThreads(d.pressureCells());
    rec.dispatch("measure_velocity", threads,
                 {{"velocity", velocity},
                  {"velocityNew", flow.velocity},
                  {"coarseVelocity", d.bricks ? Traffic::all(flow.coarseDivergenceFree()) : Traffic::none(velocity)},
                  {"aperture", d.aperture},
                  {"weights", p.weights},
                  {"partialsOut", d.partials}});
    recordReduceFinal(rec, d, threads, into);
}

void measureFire(engine::Recorder& rec, const Domain& d, const Flow& flow, const Smoke& smoke, const Measures& m, const Settings& s) {
    if (!s.usesFuel()) return;
    const glm::uvec3 scalars = d.stridedThreads(d.scalarCells()), cells = d.stridedThreads(d.cells());
    rec.dispatch("measure_fire", scalars, {{"scalars", smoke.scalars[0]}, {"aperture", d.aperture}, {"partialsOut", d.partials}},
                 firePush(s.fire, s.flow.ambient, s.timeStep));
    recordReduceFinal(rec, d, scalars, m.record(Record::Fire));
    rec.dispatch("measure_expansion", cells,
                 {{"velocity", flow.divergenceFree()},
                  {"coarseVelocity", d.bricks ? Traffic::all(flow.coarseDivergenceFree()) : Traffic::none(flow.divergenceFree())},
                  {"aperture", Traffic::none(d.aperture)},
                  {"partialsOut", d.partials}});
    recordReduceFinal(rec, d, cells, m.record(Record::Expansion));
}

void measureMomentum(engine::Recorder& rec, const Domain& d, const Flow& flow, const StepTrace& last, const Measures& m) {
    recordMomentum(rec, d, flow.velocity, flow.coarse ? flow.coarse->flow.velocity : flow.velocity, m.record(Record::MomentumAdvected));
    if (last.traced && !flow.coarse)
        recordMomentum(rec, d, flow.divergenceFree(), flow.divergenceFree(), m.record(Record::MomentumProjected));
}

void measureBlocks(engine::Recorder& rec, const Domain& d, const gpu::Level& level, const engine::Image& aperture, const Blocks& blocks,
                   const engine::Buffer& into) {
    const glm::uvec3 threads = d.stridedThreads((glm::uvec3(level.cells) + 1u) / 2u);
    rec.dispatch("measure_blocks", threads, {{"aperture", aperture}, {"openFaces", blocks.openFaces}, {"partialsOut", d.partials}}, level);
    recordReduceFinal(rec, d, threads, into);
}

void measureFields(engine::Recorder& rec, const Domain& d, const Flow& flow, const PressureSystem& p, const Smoke& smoke,
                   const Measures& m) {
    const engine::Image& scalars = smoke.scalars[0];
    measureVelocity(rec, d, flow, p, flow.divergenceFree(), m.record(Record::Velocity));
    const glm::uvec3 threads = d.stridedThreads(d.scalarCells());
    rec.dispatch("measure_scalars", threads, {{"scalars", scalars}, {"aperture", d.aperture}, {"partialsOut", d.partials}});
    recordReduceFinal(rec, d, threads, m.record(Record::Scalars));
    if (d.grid.pressureRatio > 1) measureBlocks(rec, d, p.fineLevel(), d.aperture, p.blocks, m.record(Record::Blocks));
    if (p.middle) measureBlocks(rec, d, p.middleLevel(), p.middle->aperture, p.middle->blocks, m.record(Record::MiddleBlocks));
    if (const auto& given = smoke.prescribed; given && given->exactKnown) {
        const glm::uvec3 all = reductionThreads(d.scalarCells());
        rec.dispatch("measure_error", all, {{"scalars", scalars}, {"exact", given->exact}, {"partialsOut", d.partials}}, given->greatest);
        recordReduceFinal(rec, d, all, m.record(Record::Error));
    }
}

}  // namespace

Measures::Measures(engine::Device& device, const Settings& settings) {
    const auto record = [&] { return engine::Buffer(device, {.name = "record", .bytes = kRecordBytes}); };
    for (engine::Buffer& r : records) r = record();
    if (settings.byHand || !settings.obstacles.empty())
        for (int n = 0; n < 2 * WISP_MAX_OBSTACLES; ++n) bodies.push_back(record());
}

void recordMeasureBefore(engine::Recorder& rec, const Domain& d, const Flow& flow, const PressureSystem& p, Measures& m) {
    measureVelocity(rec, d, flow, p, flow.velocity, m.record(Record::Before));
}

void recordSmokeMeasure(engine::Recorder& rec, const Domain& d, const Flow& flow, PressureSystem& p, const Smoke& smoke, const Measures& m,
                        const Settings& s, const StepTrace& last, const DeliverQuality& deliver) {
    const auto& given = smoke.prescribed;
    if (!given && !last.traced) recordResidual(rec, d, p);
    measureFields(rec, d, flow, p, smoke, m);
    if (!given) measureMomentum(rec, d, flow, last, m);
    measureFire(rec, d, flow, smoke, m, s);
    const auto measured = std::make_shared<Measured>();
    const auto bodies = given ? nullptr : recordBodyForces(rec, d, flow, p, m, s);
    for (std::size_t n = 0; n < m.records.size(); ++n) readInto(rec, m.records[n], measured, measured->records[n]);
    if (smoke.fadedKnown) readInto(rec, smoke.faded, measured, measured->faded);
    if (smoke.crossed.bytes() > 0)
        rec.read(smoke.crossed, [measured](std::span<const std::byte> bytes) { measured->crossed = crossedDensity(bytes); });
    if (d.bricks) {
        const auto copy = [measured](void* to) {
            return [measured, to](std::span<const std::byte> bytes) { std::memcpy(to, bytes.data(), bytes.size()); };
        };
        const std::uint64_t first = offsetof(gpu::BrickList, kept);
        rec.read(d.bricks->list, first, sizeof(gpu::BrickList) - first, copy(reinterpret_cast<std::byte*>(&measured->list) + first));
        rec.read(d.bricks->losses, copy(&measured->losses));
    }
    const Measuring step{.grid = d.grid,
                         .exactKnown = given && given->exactKnown,
                         .isPrescribed = given.has_value(),
                         .fades = s.flow.sideFade > 0.0f,
                         .burns = s.usesFuel(),
                         .heat = kHeatCapacity * static_cast<double>(s.fire.heat),
                         .airDensity = static_cast<double>(s.flow.fluidDensity),
                         .timeStep = static_cast<double>(s.timeStep),
                         .last = last};
    // Buffers are read in order, so all other numbers are known when the residual arrives.
    rec.read(p.residual, [measured, bodies, step, deliver](std::span<const std::byte> bytes) {
        std::memcpy(&measured->residual, bytes.data(), sizeof measured->residual);
        Quality quality = evaluate(*measured, step);
        if (bodies) quality.bodies = *bodies;
        addMomentum(quality, *measured, step);
        deliver(quality);
    });
}

}  // namespace wisp
