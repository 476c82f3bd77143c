// SPDX-License-Identifier: MIT
// Bookkeeping of a step: where the box and its obstacles are, and what was painted.
#include "compute/pressure/pressure.h"
#include "compute/scene/motion.h"
#include "compute/scene/shape_data.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/scroll.h"

#include <cassert>
#include <cstring>
#include <utility>

namespace wisp {
namespace {

// Obstacles are those at the end of a step from `time` that takes `motion` [s].
gpu::StepData stepData(const Settings& s, const MeshDistance& meshes, double time, double motion,
                       const std::map<std::size_t, MotionSegment>& overrides) {
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
        const auto hand = overrides.find(n);
        d.obstacles[n] = obstacleData(s.obstacles[n], s.grid, time, motion, hand == overrides.end() ? nullptr : &hand->second);
        if (s.obstacles[n].shape.kind == ShapeKind::Mesh) meshes.place(s.obstacles[n].shape, d.obstacles[n].shape);
        sweep(d.obstacles[n], motion, static_cast<double>(d.h));
    }
    const CellBox box = cellsOfObstacles(d);
    d.solidsLow = glm::vec3(box.first);
    d.solidsHigh = glm::vec3(box.first + glm::ivec3(box.size));
    return d;
}

}  // namespace

FluidSimulator::StepInput FluidSimulator::beginStep(engine::Recorder& rec, bool traced) {
    StepInput in{.time = time(), .number = state_.steps + 1, .traced = traced};
    in.scrolled = recordFollow(rec);
    state_.poseTime = time();
    state_.poseMotion = static_cast<double>(settings_.timeStep);
    state_.overrides = std::exchange(overrides_, {});
    Domain& domain = fields_.domain;
    domain.obstaclesMoved = placeObstacles(rec);
    if (domain.obstaclesMoved) {
        assert(domain.apertureBefore);
        std::swap(domain.aperture, domain.apertureBefore);
        std::swap(domain.solidDistance, domain.solidDistanceBefore);
        recordAperture(rec);
    }
    if (domain.obstaclesMoved || (in.scrolled != glm::ivec3(0) && hasObstacles())) recordCoarseAperture(rec, domain, fields_.pressure);
    in.strokes = strokesOfStep();
    in.painted = std::exchange(painted_, {});
    if (!in.strokes.empty() || !in.painted.empty() || !settings_.emitters.empty()) state_.exact = false;
    return in;
}

DecayFactors FluidSimulator::decayFactors() {
    const Precision precision = settings_.grid.precision;
    return {.velocity = state_.velocityDecay.step(settings_.flow.velocityDecay, settings_.timeStep, precision),
            .density = state_.densityDecay.step(settings_.flow.densityDecay, settings_.timeStep, precision)};
}

void FluidSimulator::recordAperture(engine::Recorder& rec) {
    recordObstacles(rec, fields_.domain);
    recordClosePieces(rec, fields_.domain, fields_.pressure);
}

bool FluidSimulator::placeObstacles(engine::Recorder& rec) {
    const gpu::StepData data = stepData(settings_, fields_.domain.meshes, state_.poseTime, state_.poseMotion, state_.overrides);
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
        rec.update(fields_.domain.step, std::as_bytes(std::span(&sent, 1)));
    }
    uploaded_ = data;
    fields_.domain.solids = cellsOfObstacles(data);
    return changed;
}

void FluidSimulator::placeBox() {
    fields_.domain.grid.origin = settings_.grid.origin = home_ + glm::vec3(glm::dvec3(state_.followed) *
                                                                           static_cast<double>(settings_.grid.cellSize()));
}

glm::ivec3 FluidSimulator::recordFollow(engine::Recorder& rec) {
    if (settings_.follow.keys.empty()) return {};
    const glm::i64vec3 goal = cellsFollowed(settings_, home_, time()), way = goal - state_.followed;
    if (way == glm::i64vec3(0)) return {};
    state_.followed = goal;
    placeBox();
    shiftObstacles(rec);
    const glm::i64vec3 farthest(fields_.domain.cells() + settings_.grid.pressureRatio);  // so far all is new, the faces between, too
    const glm::ivec3 cells(glm::clamp(way, -farthest, farthest));
    recordScroll(rec, fields_.domain, fields_.flow, fields_.pressure, fields_.smoke, settings_, cells, time());
    if (hasObstacles()) recordAperture(rec);
    return cells;
}

// Not those of the settings, which may be others since: what is gone uncovers its place later in the step, what is new covers it.
void FluidSimulator::shiftObstacles(engine::Recorder& rec) {
    setCommon(rec);
    uploaded_.origin = settings_.grid.origin;
    fields_.domain.solids = cellsOfObstacles(uploaded_);
    uploaded_.solidsLow = glm::vec3(fields_.domain.solids.first);
    uploaded_.solidsHigh = glm::vec3(fields_.domain.solids.first + glm::ivec3(fields_.domain.solids.size));
    rec.update(fields_.domain.step, std::as_bytes(std::span(&uploaded_, 1)));
}

std::vector<std::pair<StrokeSettings, MotionSegment>> FluidSimulator::strokesOfStep() {
    std::vector<std::pair<StrokeSettings, MotionSegment>> strokes = std::exchange(strokes_, {});
    for (const StrokeSettings& stroke : settings_.strokes)
        if (const auto way = strokeDuring(stroke, time(), static_cast<double>(settings_.timeStep))) strokes.emplace_back(stroke, *way);
    return strokes;
}

}  // namespace wisp
