// SPDX-License-Identifier: MIT
#include "compute/sim/fluid_simulator.h"

#include "compute/pressure/pressure.h"
#include "compute/scene/motion.h"
#include "compute/scene/validate.h"
#include "compute/sim/slots.h"
#include "compute/smoke/smoke_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace wisp {
namespace {

using engine::Traffic;

const Settings& checked(const Settings& settings) {
    const std::vector<Problem> problems = validate(settings);
    if (!problems.empty()) throw std::invalid_argument(problems.front().key + ": " + problems.front().message);
    return settings;
}

// @throws std::invalid_argument if the slots at the start take more.
std::uint64_t slotMemory(engine::Device& device, const Settings& s, const Fields& fields) {
    if (!s.grid.sparse) return 0;
    const std::uint32_t deepest = std::max(fields.domain.flowTexels({}).z, fields.domain.scalarTexels().z);
    if (deepest > std::min<std::uint32_t>(WISP_DEEPEST_IMAGE, device.report().limits.maxImageDimension3D))
        throw std::invalid_argument("grid.sparse: the smoke, emitters and obstacles at the start need more bricks than there can be");
    const std::uint64_t own = slotBytes(fields, fields.domain.bricks->slotCounts());
    if (s.grid.memory == 0.0f) return own + static_cast<std::uint64_t>(0.9 * static_cast<double>(device.memory().available()));
    const auto most = static_cast<std::uint64_t>(static_cast<double>(s.grid.memory) * 1e9);
    if (own > most)
        throw std::invalid_argument(
            fmt::format("grid.memory: is {:g} GB, but the smoke, emitters and obstacles at the start take {:.3g} GB", s.grid.memory,
                        static_cast<double>(own) * 1e-9));
    return most;
}

}  // namespace

FluidSimulator::FluidSimulator(engine::Device& device, const Settings& settings)
    : device_(device),
      settings_(checked(settings)),
      home_(settings.grid.origin),
      fields_(device, settings_),
      slotMemory_(slotMemory(device, settings_, fields_)),
      measures_(device, settings_) {
    crossedBodies_.update(settings_);
}

void FluidSimulator::setCommon(engine::Recorder& rec) {
    const Domain& d = fields_.domain;
    const CoarseFlow* coarse = fields_.flow.coarse.get();  // shaders of dense simulations read neither bricks nor coarse velocity
    rec.setCommon({{"stepData", d.step},
                   {"solidDistance", d.solidDistance},
                   {"solidVelocity", Traffic::none(d.solidVelocity)},
                   {"meshDistances", Traffic::none(d.meshes.image())},
                   {"meshVelocities", Traffic::none(d.meshes.velocities())},
                   {"brickList", Traffic::none(d.bricks ? d.bricks->list : d.step)},
                   {"brickStates", Traffic::none(d.bricks ? d.bricks->states : d.step)},
                   {"brickSlots", Traffic::none(d.bricks ? d.bricks->slots : d.step)},
                   {"coarseVelocity", Traffic::none(coarse ? coarse->flow.velocity : fields_.flow.velocity)}});
}

void FluidSimulator::resume(engine::Recorder& rec, const RunState& state) {
    for (const auto& [obstacle, motion] : state.overrides)
        if (obstacle >= settings_.obstacles.size()) throw std::invalid_argument("RunState::overrides: there is no such obstacle");
    allocate(state);
    state_ = state;
    begin(rec);
    rec.clear(fields_.pressure.potential, 0);  // each step computes it; until then, forces on bodies and probes show the coarse pressure
    aperturesAreOld_ = fields_.domain.bricks.has_value();  // they belong to the bricks at the start, not to those of the checkpoint
}

void FluidSimulator::allocate(const RunState& state) {
    if (!fields_.domain.bricks) return;
    const SlotCounts slots = state.slots.slots(), now = fields_.domain.bricks->slotCounts();
    const auto isPossible = [&](std::uint32_t n, std::uint32_t own) {
        const std::uint32_t layer = fields_.domain.bricks->slotsInLayer();
        return n % layer == 0 && n >= layer && (n <= own || n < fields_.domain.bricks->count() + 2 * layer);
    };
    if (!isPossible(slots.flow, now.flow) || !isPossible(slots.smoke, now.smoke))
        throw std::invalid_argument("RunState::slots: not possible in this grid");
    makeSlots(device_, fields_, slots);
}

void FluidSimulator::catchUp(engine::Recorder& rec) {
    if (aperturesAreOld_ || coloursAreNew_) setCommon(rec);
    if (std::exchange(scratchIsNew_, false)) {
        clearScratch(rec, fields_.smoke.scalars);
        if (fields_.smoke.hasColours()) clearScratch(rec, fields_.smoke.colours);
    }
    if (aperturesAreOld_) recordStoredApertures(rec);
    if (!std::exchange(coloursAreNew_, false)) return;
    recordWhiteColours(rec, fields_.domain, fields_.smoke);
}

void FluidSimulator::follow(glm::vec3 target) {
    Settings wanted = settings_;
    wanted.follow.keys = {{.t = 0.0f, .centre = target}};
    settings_ = checked(wanted);
}

void FluidSimulator::overrideMotion(std::size_t obstacle, const MotionSegment& motion) {
    if (obstacle >= settings_.obstacles.size()) throw std::out_of_range("FluidSimulator::overrideMotion: there is no such obstacle");
    overrides_[obstacle] = motion;
}

bool FluidSimulator::knowsExact() const {
    return fields_.smoke.prescribed && state_.exact && settings_.strokes.empty() && settings_.flow.densityDecay == 0.0f;
}

void FluidSimulator::reset(engine::Recorder& rec) {
    state_ = {};
    state_.followed = cellsFollowed(settings_, home_, 0.0);
    begin(rec);
}

void FluidSimulator::show(engine::Recorder& rec, double time) {
    state_ = {};
    state_.timeBefore = state_.poseTime = time;
    if (settings_.camera.shutter > 0.0f) {  // the velocity of obstacles is their mean over a step, as in a simulation
        state_.poseMotion = static_cast<double>(settings_.timeStep);
        state_.poseTime -= state_.poseMotion;
    }
    begin(rec);
}

void FluidSimulator::clear(engine::Recorder& rec) {
    setCommon(rec);
    Settings nothing = settings_;
    nothing.initial.clear();
    nothing.emitters.clear();
    if (fields_.domain.bricks) recordFirstBricks(rec, nothing);
    recordInitialFields(rec, nothing);
    fields_.flow.isProjected = false;
    fields_.smoke.fadedKnown = false;
    coloursAreNew_ = false;  // recordInitialFields has set them to 0
    state_.exact = false;
}

void FluidSimulator::recordFirstBricks(engine::Recorder& rec, const Settings& settings) {
    auto& [domain, flow, pressure, smoke, liquid] = fields_;
    wisp::recordFirstBricks(rec, domain, flow, pressure, smoke, settings, seedsOfStart(settings));
    recordStoredApertures(rec);
}

void FluidSimulator::recordStoredApertures(engine::Recorder& rec) {
    fields_.domain.rewriteAll();
    recordAperture(rec);
    if (fields_.domain.apertureBefore) {
        std::swap(fields_.domain.aperture, fields_.domain.apertureBefore);
        std::swap(fields_.domain.solidDistance, fields_.domain.solidDistanceBefore);
        recordAperture(rec);
    }
    recordCoarseAperture(rec, fields_.domain, fields_.pressure);
    aperturesAreOld_ = false;
}

void FluidSimulator::begin(engine::Recorder& rec) {
    uploaded_ = {};
    trace_ = nullptr;  // belongs to the previous run
    placeBox();
    fields_.flow.isProjected = false;
    fields_.smoke.fadedKnown = false;
    coloursAreNew_ = false;
    fields_.domain.obstaclesMoved = false;
    fields_.domain.meshes.build(rec, settings_);
    placeObstacles(rec);
    if (fields_.domain.bricks) {
        state_.slots.setSlots(fields_.domain.bricks->slotCounts());
        recordFirstBricks(rec, settings_);
    } else {
        recordAperture(rec);
        recordCoarseAperture(rec, fields_.domain, fields_.pressure);
    }
    recordInitialFields(rec, settings_);
    recordTracersAtStart(rec, fields_.smoke, settings_);
    std::vector<EmitterSettings> sources = settings_.emitters;
    for (EmitterSettings& e : sources) e.densityRate = e.temperatureRate = e.fuelRate = 0.0f;  // no time has passed
    recordSources(rec, fields_.domain, fields_.smoke, settings_, sources, time(), 0.0);
    if (!sources.empty()) state_.exact = false;
    if (!fields_.smoke.prescribed) return;
    recordPrescribed(rec, fields_.domain, fields_.flow, fields_.smoke, settings_);
    recordDeparturePointsAtStart(rec, fields_.domain, fields_.smoke);
}

void FluidSimulator::change(const Settings& settings) {
    const Settings& wanted = checked(settings);
    Settings running = settings_;
    if (wanted.grid.origin != running.grid.origin) running.grid.origin = home_;  // callers pass the original or the current origin
    if (const std::string key = fixedKey(running, wanted); !key.empty())
        throw std::invalid_argument(key + ": cannot change while the simulation runs");
    if (wanted.usesColour() && !fields_.smoke.hasColours()) {
        fields_.smoke.makeColours(device_, fields_.domain);
        coloursAreNew_ = true;
    }
    if (correctsScalars(wanted.advection.scheme) && !fields_.smoke.scalars[1]) {
        fields_.smoke.makeScratch(device_);
        scratchIsNew_ = true;
    }
    if (wanted.flow.sideFade > 0.0f) fields_.smoke.makeFaded(device_);
    // Only for a new time step: otherwise every change of settings would alter the rounding of time().
    if (wanted.timeStep != settings_.timeStep) {
        state_.timeBefore = time();
        state_.stepsBefore = state_.steps;
    }
    const auto advectionKeys = [](const Settings& s) {
        return std::tie(s.prescribed, s.flow.inflow, s.flow.inflowDensity, s.flow.inflowPattern, s.flow.inflowWidth, s.grid.sides,
                        s.flow.densityDecay);
    };
    if (advectionKeys(settings_) != advectionKeys(wanted)) state_.exact = false;
    crossedBodies_.update(wanted);
    settings_ = wanted;
    placeBox();
}

}  // namespace wisp
