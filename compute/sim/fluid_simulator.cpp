// SPDX-License-Identifier: MIT
#include "compute/sim/fluid_simulator.h"

#include "compute/scene/motion.h"
#include "compute/scene/shape_data.h"
#include "compute/smoke/passes.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace wisp {
namespace {

const Settings& checked(const Settings& settings) {
    const std::vector<Problem> problems = validate(settings);
    if (!problems.empty()) throw std::invalid_argument(problems.front().key + ": " + problems.front().message);
    return settings;
}

// Obstacles are those at the end of a step from `time` that takes `motion` [s].
gpu::StepData stepData(const Settings& s, const MeshDistance& meshes, double time, double motion, const std::map<std::size_t, Way>& held) {
    gpu::StepData d{};
    d.cells = s.grid.cells;
    d.pressureCells = s.grid.pressureCells();
    d.scalarCells = s.grid.scalarCells();
    d.ratio = static_cast<int>(s.grid.pressureRatio);
    d.scalarRatio = static_cast<int>(s.grid.scalarRatio);
    d.h = s.grid.cellSize();
    d.dt = s.timeStep;
    d.perCell = 1.0f / glm::vec3(d.cells);
    d.perFace = 1.0f / glm::vec3(d.cells + 1);
    d.perScalar = 1.0f / glm::vec3(d.scalarCells);
    d.origin = s.grid.origin;
    for (int axis = 0; axis < 3; ++axis) {
        d.sidesLow[axis] = static_cast<int>(s.grid.side(2 * static_cast<std::size_t>(axis)));
        d.sidesHigh[axis] = static_cast<int>(s.grid.side(2 * static_cast<std::size_t>(axis) + 1));
    }
    d.inflow = s.flow.inflow * glm::vec3(1.0f, 1.0f, s.grid.isFlat() ? 0.0f : 1.0f);
    d.obstacleCount = static_cast<int>(s.obstacles.size());
    for (std::size_t n = 0; n < s.obstacles.size(); ++n) {
        const auto hand = held.find(n);
        d.obstacles[n] = obstacleData(s.obstacles[n], s.grid, time, motion, hand == held.end() ? nullptr : &hand->second);
        if (s.obstacles[n].shape.kind == ShapeKind::Mesh) meshes.place(s.obstacles[n].shape, d.obstacles[n].shape);
        sweep(d.obstacles[n], motion, static_cast<double>(d.h));
    }
    const CellBox box = cellsOfObstacles(d);
    d.solidsLow = glm::vec3(box.first);
    d.solidsHigh = glm::vec3(box.first + glm::ivec3(box.size));
    return d;
}

}  // namespace

FluidSimulator::FluidSimulator(engine::Device& device, const Settings& settings)
    : device_(device), settings_(checked(settings)), home_(settings.grid.origin), fields_(device, settings_) {
    fields_.meshes = MeshDistance(device, settings_);
}

bool FluidSimulator::placeObstacles(engine::Recorder& rec) {
    const gpu::StepData data = stepData(settings_, fields_.meshes, state_.poseTime, state_.poseMotion, state_.held);
    setCommon(rec);
    const bool changed = std::memcmp(&data, &uploaded_, sizeof data) !=
                         0;  // NOLINT(bugprone-suspicious-memory-comparison): other bits only upload it again
    if (changed) {
        gpu::StepData sent = data;
        if (uploaded_.obstacleCount >
            0) {  // paths back meet them where they were, too: a fast one was solid over its way of the step before
            sent.solidsLow = glm::min(data.solidsLow, uploaded_.solidsLow);
            sent.solidsHigh = glm::max(data.solidsHigh, uploaded_.solidsHigh);
        }
        rec.update(fields_.step, std::as_bytes(std::span(&sent, 1)));
    }
    uploaded_ = data;
    fields_.solids = cellsOfObstacles(data);
    return changed;
}

void FluidSimulator::setCommon(engine::Recorder& rec) {
    rec.setCommon({{"stepData", fields_.step},
                   {"solidDistance", fields_.solidDistance},
                   {"solidVelocity", few(fields_.solidVelocity)},
                   {"meshDistances", few(fields_.meshes.image())}});
}

void FluidSimulator::reset(engine::Recorder& rec) {
    state_ = {};
    state_.followed = cellsFollowed(settings_, home_, 0.0);
    begin(rec);
}

void FluidSimulator::clear(engine::Recorder& rec) {
    setCommon(rec);
    Settings nothing = settings_;
    nothing.initial.clear();
    nothing.emitters.clear();
    recordInitial(rec, fields_, nothing, time());
    if (fields_.liquid) recordLiquidAtStart(rec, fields_, nothing);
    fields_.stepped = false;
    fields_.fadedKnown = false;
    coloursAreNew_ = false;  // they are black now, as they should be
    state_.exact = false;
}

void FluidSimulator::resume(engine::Recorder& rec, const RunState& state) {
    for (const auto& [obstacle, way] : state.held)
        if (obstacle >= settings_.obstacles.size()) throw std::invalid_argument("RunState::held: there is no such obstacle");
    state_ = state;
    begin(rec);
}

void FluidSimulator::begin(engine::Recorder& rec) {
    uploaded_ = {};
    trace_ = nullptr;  // of another run
    placeBox();
    fields_.stepped = false;
    fields_.fadedKnown = false;
    coloursAreNew_ = false;
    fields_.obstaclesMoved = false;
    fields_.meshes.build(rec, settings_);
    placeObstacles(rec);
    recordOpenness(rec, fields_);
    recordCoarseOpenness(rec, fields_);
    recordInitial(rec, fields_, settings_, time());
    recordTracersAtStart(rec, fields_, settings_);
    std::vector<EmitterSettings> held = settings_.emitters;
    for (EmitterSettings& e : held) e.densityRate = e.temperatureRate = 0.0f;  // no time has gone by
    recordSources(rec, fields_, settings_, held);
    if (!held.empty()) state_.exact = false;
    if (fields_.liquid) recordLiquidAtStart(rec, fields_, settings_);
    if (!fields_.isPrescribed()) return;
    recordPrescribed(rec, fields_, settings_);
    recordDeparturesAtStart(rec, fields_);
}

void FluidSimulator::change(const Settings& settings) {
    const Settings& wanted = checked(settings);
    Settings running = settings_;
    if (wanted.grid.origin != running.grid.origin) running.grid.origin = home_;  // those of before the box moved, or settings()
    if (const std::string key = fixedKey(running, wanted); !key.empty()) throw std::invalid_argument(key + ": cannot change while it runs");
    if (wanted.usesColour() && !fields_.hasColours()) {
        fields_.makeColours(device_);
        coloursAreNew_ = true;
    }
    if (wanted.flow.sideFade > 0.0f) fields_.makeFaded(device_);
    if (wanted.timeStep != settings_.timeStep) {  // else a run that changes otherwise would have other times in the last place
        state_.timeBefore = time();
        state_.stepsBefore = state_.steps;
    }
    const auto carriage = [](const Settings& s) {
        return std::tie(s.prescribed, s.flow.inflow, s.flow.inflowDensity, s.flow.inflowPattern, s.flow.inflowWidth, s.grid.sides,
                        s.flow.densityDecay);
    };
    if (carriage(settings_) != carriage(wanted)) state_.exact = false;
    settings_ = wanted;
    placeBox();
}

void FluidSimulator::catchUp(engine::Recorder& rec) {
    if (!std::exchange(coloursAreNew_, false)) return;
    setCommon(rec);
    recordWhiteColours(rec, fields_);
}

void FluidSimulator::placeBox() {
    fields_.grid.origin = settings_.grid.origin = home_ +
                                                  glm::vec3(glm::dvec3(state_.followed) * static_cast<double>(settings_.grid.cellSize()));
}

void FluidSimulator::follow(glm::vec3 target) {
    Settings wanted = settings_;
    wanted.follow.keys = {{.t = 0.0f, .centre = target}};
    settings_ = checked(wanted);
}

glm::ivec3 FluidSimulator::recordFollow(engine::Recorder& rec) {
    if (settings_.follow.keys.empty()) return {};
    const glm::i64vec3 goal = cellsFollowed(settings_, home_, time()), way = goal - state_.followed;
    if (way == glm::i64vec3(0)) return {};
    state_.followed = goal;
    placeBox();
    shiftObstacles(rec);
    const glm::i64vec3 farthest(fields_.cells() + settings_.grid.pressureRatio);  // so far all is new, the faces between, too
    const glm::ivec3 cells(glm::clamp(way, -farthest, farthest));
    recordScroll(rec, fields_, settings_, cells, time());
    if (hasObstacles()) recordOpenness(rec, fields_);
    return cells;
}

// Not those of the settings, which may be others since: what is gone uncovers its place later in the step, what is new covers it.
void FluidSimulator::shiftObstacles(engine::Recorder& rec) {
    setCommon(rec);
    uploaded_.origin = settings_.grid.origin;
    fields_.solids = cellsOfObstacles(uploaded_);
    uploaded_.solidsLow = glm::vec3(fields_.solids.first);
    uploaded_.solidsHigh = glm::vec3(fields_.solids.first + glm::ivec3(fields_.solids.size));
    rec.update(fields_.step, std::as_bytes(std::span(&uploaded_, 1)));
}

void FluidSimulator::hold(std::size_t obstacle, const Way& way) {
    if (obstacle >= settings_.obstacles.size()) throw std::out_of_range("FluidSimulator::hold: there is no such obstacle");
    held_[obstacle] = way;
}

std::vector<std::pair<StrokeSettings, Way>> FluidSimulator::strokesOfStep() {
    std::vector<std::pair<StrokeSettings, Way>> strokes = std::exchange(strokes_, {});
    for (const StrokeSettings& stroke : settings_.strokes)
        if (const auto way = strokeDuring(stroke, time(), static_cast<double>(settings_.timeStep))) strokes.emplace_back(stroke, *way);
    return strokes;
}

void FluidSimulator::step(engine::Recorder& rec, bool traced) {
    catchUp(rec);
    trace_ = traced ? std::make_shared<std::vector<double>>() : nullptr;
    const glm::ivec3 scrolled = recordFollow(rec);
    state_.poseTime = time();
    state_.poseMotion = static_cast<double>(settings_.timeStep);
    state_.held = std::exchange(held_, {});
    fields_.obstaclesMoved = placeObstacles(rec);
    if (fields_.obstaclesMoved) recordMovedObstacles(rec, fields_);
    if (fields_.obstaclesMoved || (scrolled != glm::ivec3(0) && hasObstacles())) recordCoarseOpenness(rec, fields_);
    const std::vector<std::pair<StrokeSettings, Way>> strokes = strokesOfStep();
    if (!strokes.empty() || !painted_.empty() || !settings_.emitters.empty()) state_.exact = false;
    if (fields_.liquid) return recordLiquid(rec);
    if (fields_.isPrescribed()) recordPrescribed(rec, fields_, settings_);
    else recordVelocity(rec, strokes, traced);
    const Precision precision = settings_.grid.precision;
    recordAdvect(rec, fields_, settings_,
                 {.velocity = state_.velocityDecay.step(settings_.flow.velocityDecay, settings_.timeStep, precision),
                  .density = state_.densityDecay.step(settings_.flow.densityDecay, settings_.timeStep, precision)},
                 time());
    recordSideFade(rec, fields_, settings_, scrolled);
    if (fields_.isPrescribed()) recordDepartures(rec, fields_, settings_);
    // Last, so that a picture shows what is held: where a jet begins, advection leaves only the edge of it.
    recordSources(rec, fields_, settings_, settings_.emitters);
    recordSources(rec, fields_, settings_, std::exchange(painted_, {}));
    for (const auto& [stroke, way] : strokes) recordStrokeScalars(rec, fields_, stroke, way);
    ++state_.steps;
    recordTracers(rec, fields_, settings_, state_.steps, scrolled);
}

void FluidSimulator::recordVelocity(engine::Recorder& rec, const std::vector<std::pair<StrokeSettings, Way>>& strokes, bool traced) {
    recordJets(rec, fields_, settings_, settings_.emitters, time());
    recordJets(rec, fields_, settings_, painted_, time());
    for (const auto& [stroke, way] : strokes) recordStrokeVelocity(rec, fields_, stroke, way);
    recordForces(rec, fields_, settings_);
    if (traced) recordMeasureBefore(rec, fields_);
    recordDownsample(rec, fields_, settings_);
    recordPressure(rec, fields_, settings_, trace_);
    recordProject(rec, fields_, settings_);
}

void FluidSimulator::recordLiquid(engine::Recorder& rec) {
    recordParticlesToGrid(rec, fields_);
    recordLiquidForces(rec, fields_, settings_);
    recordLiquidSurface(rec, fields_, settings_);
    recordLiquidPressure(rec, fields_, settings_, trace_);
    recordLiquidCrowding(rec, fields_, settings_);
    recordGridToParticles(rec, fields_, settings_);
    std::vector<EmitterSettings> sources = settings_.emitters;
    std::ranges::move(std::exchange(painted_, {}), std::back_inserter(sources));
    recordLiquidSources(rec, fields_, settings_, sources, ++state_.steps);
}

bool FluidSimulator::knowsExact() const {
    return fields_.isPrescribed() && state_.exact && settings_.strokes.empty() && settings_.flow.densityDecay == 0.0f;
}

void FluidSimulator::measure(engine::Recorder& rec, std::function<void(const Quality&)> deliver) {
    setCommon(rec);
    fields_.exactKnown = knowsExact();
    if (fields_.exactKnown) recordExact(rec, fields_, settings_);
    recordMeasure(rec, fields_, settings_, trace_ != nullptr, [trace = trace_, deliver = std::move(deliver)](const Quality& measured) {
        Quality quality = measured;
        if (trace) quality.residuals = *trace;
        else quality.fineDivergenceBefore = 0.0;
        deliver(quality);
    });
}

}  // namespace wisp
