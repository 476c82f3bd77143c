// SPDX-License-Identifier: MIT
// The initial fields, a step, and its quality numbers, for both fluids. docs/architecture.md lists the passes of a step.
#include "compute/liquid/liquid_passes.h"
#include "compute/pressure/pressure.h"
#include "compute/scene/parts_of_step.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/liquid_measure.h"
#include "compute/sim/momentum.h"
#include "compute/smoke/smoke_passes.h"

#include <glm/common.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace wisp {
void FluidSimulator::recordInitialFields(engine::Recorder& rec, const Settings& settings) {
    auto& [domain, flow, pressure, smoke, liquid] = fields_;
    rec.clear(pressure.pressure[0], 0);
    rec.clear(pressure.potential, 0);
    recordInitial(rec, domain, flow, smoke, settings, time());
    if (flow.coarse) recordRestrictFaces(rec, domain, pressure, flow.velocity, flow.coarse->flow.velocity, Restricted::All);
    if (liquid) recordLiquidAtStart(rec, domain, flow, pressure, *liquid, settings);
}

void FluidSimulator::step(engine::Recorder& rec, bool traced) {
    catchUp(rec);
    trace_ = traced ? std::make_shared<std::vector<double>>() : nullptr;
    if (fields_.liquid) recordLiquidParts(rec);
    else recordSmokeStep(rec, beginStep(rec, traced));
    ++state_.steps;
}

void FluidSimulator::recordSmokeStep(engine::Recorder& rec, const StepInput& in) {
    auto& [domain, flow, pressure, smoke, liquid] = fields_;
    const Settings& s = settings_;
    if (domain.obstaclesMoved) recordFreshCells(rec, domain, smoke);
    recordSmokeMargins(rec, domain, smoke.scalars[0]);
    if (smoke.hasColours()) recordSmokeMargins(rec, domain, smoke.colours[0]);
    if (flow.coarse) recordFill(rec, domain, pressure, flow, flow.coarse->flow.velocity, flow.velocity, true);
    if (smoke.prescribed) {
        recordPrescribed(rec, domain, flow, smoke, s);
    } else {
        const bool budgets = in.traced && !flow.coarse;
        const auto measureMomentum = [&, &domain = domain, &flow = flow](Record r) {  // named: clang 14 captures no parts otherwise
            if (budgets) recordMomentum(rec, domain, flow.velocity, flow.velocity, measures_.record(r));
        };
        measureMomentum(Record::MomentumAtStart);
        recordJets(rec, domain, flow, s, s.emitters, in.time);
        recordJets(rec, domain, flow, s, in.painted, in.time);
        for (const auto& [stroke, motion] : in.strokes) recordStrokeVelocity(rec, domain, flow, stroke, motion);
        measureMomentum(Record::MomentumAfterSources);
        if (in.number > 1) recordPresmooth(rec, domain, pressure, flow);
        else rec.clear(pressure.potential, 0);  // nothing was advected
        const bool accelerates = recordForces(rec, domain, pressure, flow, smoke, s);
        if (budgets) recordForceOnFluid(rec, domain, flow, accelerates, measures_.record(Record::Force));
        if (flow.coarse) recordRestrictFaces(rec, domain, pressure, flow.velocity, flow.coarse->flow.velocity, Restricted::Border);
        // Bricks without a fine velocity have no fine divergence. To fill them now would change the halo, and with it the run.
        if (budgets) recordMeasureBefore(rec, domain, flow, pressure, measures_);
        recordDownsample(rec, domain, flow, pressure, s);
        const Solve solve = planSolve(in.number);
        recordPressure(rec, domain, pressure, solve.pressure, isClosed(s.grid), solve.trace);
        recordProject(rec, domain, pressure, flow, s);
    }
    const DecayFactors kept = decayFactors();
    lastKept_ = kept.velocity;
    recordAdvect(rec, domain, flow, pressure, smoke, s, kept, in.time);
    recordCrossedMass(rec, domain, flow, smoke, crossedPush());
    recordSideFade(rec, domain, flow, smoke, s, in.scrolled);
    recordReact(rec, domain, flow, smoke, s);
    if (smoke.prescribed) recordDeparturePoints(rec, domain, smoke, s);
    // Sources come last, so that pictures show them filled: advection empties the start of a jet except for its edge.
    const auto dt = static_cast<double>(s.timeStep);
    recordSources(rec, domain, smoke, s, s.emitters, in.time, dt);
    recordSources(rec, domain, smoke, s, in.painted, in.time, dt);
    for (const auto& [stroke, motion] : in.strokes) recordStrokeScalars(rec, domain, smoke, stroke, motion);
    recordTracers(rec, flow, smoke, s, in.number, in.scrolled);
}

void FluidSimulator::recordLiquidParts(engine::Recorder& rec) {
    const std::map<std::size_t, MotionSegment> moved = std::exchange(overrides_, {});
    const std::vector<EmitterSettings> painted = std::exchange(painted_, {});
    const std::uint32_t parts = partsOfStep(settings_, time(), painted, moved);
    Solve solve = planSolve(state_.steps + 1);
    const auto trace = std::exchange(solve.trace, nullptr);
    for (std::uint32_t part = 0; part < parts; ++part) {
        const auto share = [&](std::uint32_t n) { return static_cast<float>(n) / static_cast<float>(parts); };
        for (const auto& [obstacle, motion] : moved)
            overrides_[obstacle] = {glm::mix(motion.from, motion.to, share(part)), glm::mix(motion.from, motion.to, share(part + 1))};
        painted_ = painted;
        if (part + 1 == parts) solve.trace = trace;
        recordLiquidStep(rec, beginStep(rec, trace_ != nullptr, part, parts), solve);
    }
}

Settings FluidSimulator::settingsOfPart() const {
    Settings s = settings_;
    if (state_.poseMotion > 0.0) s.timeStep = static_cast<float>(state_.poseMotion);
    return s;
}

void FluidSimulator::recordLiquidStep(engine::Recorder& rec, const StepInput& in, const Solve& solve) {
    auto& [domain, flow, pressure, smoke, liquid] = fields_;
    const Settings s = settingsOfPart();
    recordParticlesToGrid(rec, domain, flow, *liquid);
    recordLiquidForces(rec, domain, flow, s);
    recordLiquidSurface(rec, domain, flow.scratch, pressure, *liquid, s);
    recordLiquidPressure(rec, domain, flow, pressure, *liquid, s, solve.pressure, solve.trace);
    recordLiquidPositionCorrection(rec, domain, pressure, *liquid, s);
    recordGridToParticles(rec, domain, flow, *liquid, s);
    std::vector<EmitterSettings> sources = s.emitters;
    std::ranges::copy(in.painted, std::back_inserter(sources));
    // Random numbers of parts differ; those of the last part are those of a step that has no others.
    recordLiquidSources(rec, domain, flow, *liquid, s, sources, in.number + (std::uint64_t{in.partsLeft} << 24), in.time);
}

void FluidSimulator::measure(engine::Recorder& rec, std::function<void(const Quality&)> deliver) {
    auto& [domain, flow, pressure, smoke, liquid] = fields_;
    const bool traced = trace_ != nullptr;
    const auto add = [trace = trace_, cycles = lastCycles_, deliver = std::move(deliver)](const Quality& measured) {
        Quality quality = measured;
        quality.cycles = cycles;
        if (trace) quality.residuals = *trace;
        if (!trace || quality.sparse) quality.fineDivergenceBefore = 0.0;
        deliver(quality);
    };
    setCommon(rec);
    if (smoke.prescribed) smoke.prescribed->exactKnown = knowsExact();
    if (knowsExact()) recordExact(rec, domain, smoke, settings_);
    if (liquid) recordLiquidMeasure(rec, domain, flow, pressure, *liquid, measures_, settingsOfPart(), traced, add);
    else recordSmokeMeasure(rec, domain, flow, pressure, smoke, measures_, settings_, {traced, lastKept_}, add);
}

}  // namespace wisp
