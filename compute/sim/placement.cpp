// SPDX-License-Identifier: MIT
// Bookkeeping of a step: positions of the box and its obstacles, and painted emitters and strokes.
#include "compute/pressure/pressure.h"
#include "compute/scene/motion.h"
#include "compute/scene/shape_data.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/scroll.h"
#include "compute/sim/slots.h"
#include "compute/smoke/smoke_passes.h"

#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

namespace wisp {
namespace {

// Obstacles have their positions at the end of a step that starts at `time` and takes `motion` [s].
gpu::StepData stepData(const Settings& s, const Domain& domain, double time, double motion,
                       const std::map<std::size_t, MotionSegment>& overrides) {
    gpu::StepData d{};
    d.cells = s.grid.cells;
    d.pressureCells = s.grid.pressureCells();
    d.scalarCells = s.grid.scalarCells();
    d.ratio = static_cast<int>(s.grid.pressureRatio);
    d.scalarRatio = static_cast<int>(s.grid.scalarRatio);
    d.h = s.grid.cellSize();
    d.dt = motion > 0.0 ? static_cast<float>(motion) : s.timeStep;
    d.perCell = 1.0f / glm::vec3(d.cells);
    d.perFace = 1.0f / glm::vec3(d.cells + 1);
    d.perScalar = 1.0f / glm::vec3(d.scalarCells);
    if (domain.bricks) {
        d.perFlowTexel = 1.0f / glm::vec3(domain.flowTexels({}));
        d.perSmokeTexel = 1.0f / glm::vec3(domain.scalarTexels());
    }
    d.origin = s.grid.origin;
    for (int axis = 0; axis < 3; ++axis) {
        d.sidesLow[axis] = static_cast<int>(s.grid.side(2 * static_cast<std::size_t>(axis)));
        d.sidesHigh[axis] = static_cast<int>(s.grid.side(2 * static_cast<std::size_t>(axis) + 1));
    }
    d.inflow = s.flow.inflow * glm::vec3(1.0f, 1.0f, s.grid.isFlat() ? 0.0f : 1.0f);
    d.obstacleCount = static_cast<int>(s.obstacles.size());
    for (std::size_t n = 0; n < s.obstacles.size(); ++n) {
        const auto kinematic = overrides.find(n);
        d.obstacles[n] = obstacleData(s.obstacles[n], s.grid, time, motion, kinematic == overrides.end() ? nullptr : &kinematic->second);
        if (s.obstacles[n].shape.kind == ShapeKind::Mesh) domain.meshes.place(s.obstacles[n].shape, d.obstacles[n]);
        sweep(d.obstacles[n], motion, static_cast<double>(d.h));
    }
    const CellBox box = cellsOfObstacles(d);
    d.solidsLow = glm::vec3(box.first);
    d.solidsHigh = glm::vec3(box.first + glm::ivec3(box.size));
    return d;
}

// Whether two steps have the same grid, sides and time step, and as many obstacles. Only the obstacles themselves may differ: they and
// their box are the last members.
bool differInObstaclesOnly(const gpu::StepData& a, const gpu::StepData& b) {
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): if equal values differ in their bits, all cells are written again
    return std::memcmp(&a, &b, offsetof(gpu::StepData, solidsLow)) == 0;
}

}  // namespace

FluidSimulator::StepInput FluidSimulator::beginStep(engine::Recorder& rec, bool traced, std::uint32_t part, std::uint32_t parts) {
    const double dt = static_cast<double>(settings_.timeStep) / parts;
    StepInput in{.time = time() + part * dt, .number = state_.steps + 1, .partsLeft = parts - 1 - part, .traced = traced};
    if (fields_.domain.bricks) recordSlots(rec, in.number);
    in.scrolled = recordFollow(rec);
    state_.poseTime = in.time;
    state_.poseMotion = dt;
    state_.overrides = std::exchange(overrides_, {});
    Domain& domain = fields_.domain;
    const bool changed = placeObstacles(rec);
    // Only scenes whose obstacles can move have memory for the state before. In others only settings such as the time step have changed.
    domain.obstaclesMoved = changed && domain.apertureBefore;
    if (domain.obstaclesMoved) {
        std::swap(domain.aperture, domain.apertureBefore);
        std::swap(domain.solidDistance, domain.solidDistanceBefore);
        std::swap(domain.solidsOfAperture, domain.solidsOfApertureBefore);
    }
    in.strokes = strokesOfStep();
    in.painted = std::exchange(painted_, {});
    if (domain.bricks) {
        recordBrickList(rec, domain, fields_.flow, fields_.pressure, fields_.smoke, settings_, seedsOfStep(in));
        readSlots(rec, in.number);
    }
    if (changed) recordAperture(rec);
    if (changed || (in.scrolled != glm::ivec3(0) && hasObstacles())) recordCoarseAperture(rec, domain, fields_.pressure);
    if (!in.strokes.empty() || !in.painted.empty() || !settings_.emitters.empty()) state_.exact = false;
    return in;
}

DecayFactors FluidSimulator::decayFactors() {
    const Precision precision = settings_.grid.precision;
    return {.velocity = state_.velocityDecay.step(settings_.flow.velocityDecay, settings_.timeStep, precision),
            .density = state_.densityDecay.step(settings_.flow.densityDecay, settings_.timeStep, precision)};
}

FluidSimulator::Solve FluidSimulator::planSolve(std::uint64_t step) {
    Solve solve{settings_.pressure, trace_};
    if (solve.pressure.iterations == 0) {
        const float tolerance = solve.pressure.tolerance > 0.0f ? solve.pressure.tolerance : kAutoTolerance;
        solve.pressure.iterations = state_.cycles.next(step, static_cast<double>(tolerance));
        solve.pressure.tolerance = 0.0f;  // a check after each cycle would cost as much as it saves
        if (CyclePlan::traces(step)) {
            if (!solve.trace) solve.trace = std::make_shared<Residuals>();
            state_.cycles.trace(step, solve.trace);
        }
    }
    lastCycles_ = solve.pressure.iterations;
    return solve;
}

void FluidSimulator::recordAperture(engine::Recorder& rec) {
    recordObstacles(rec, fields_.domain);
    recordClosePieces(rec, fields_.domain, fields_.pressure);
}

bool FluidSimulator::placeObstacles(engine::Recorder& rec) {
    const bool deformed = fields_.domain.meshes.pose(rec, settings_, state_.poseTime, state_.poseMotion);
    const gpu::StepData data = stepData(settings_, fields_.domain, state_.poseTime, state_.poseMotion, state_.overrides);
    setCommon(rec);
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): if equal values differ in their bits, they are only uploaded again
    const bool changed = deformed || std::memcmp(&data, &uploaded_, sizeof data) != 0;
    if (changed) {
        gpu::StepData sent = data;
        // Backtraces also meet obstacles where they were in the last step, in which a fast obstacle was solid over its swept path.
        if (uploaded_.obstacleCount > 0) {
            sent.solidsLow = glm::min(data.solidsLow, uploaded_.solidsLow);
            sent.solidsHigh = glm::max(data.solidsHigh, uploaded_.solidsHigh);
        }
        rec.update(fields_.domain.step, std::as_bytes(std::span(&sent, 1)));
        if (fields_.flow.coarse) fields_.flow.coarse->upload(rec, sent);
    }
    if (!differInObstaclesOnly(data, uploaded_)) fields_.domain.rewriteAll();
    uploaded_ = data;
    fields_.domain.solidsBefore = fields_.domain.solids;
    fields_.domain.solids = cellsOfObstacles(data);
    return changed;
}

void FluidSimulator::placeBox() {
    fields_.domain.grid.origin = settings_.grid.origin = home_ + glm::vec3(glm::dvec3(state_.followed) *
                                                                           static_cast<double>(settings_.grid.cellSize()));
}

glm::ivec3 FluidSimulator::recordFollow(engine::Recorder& rec) {
    if (settings_.follow.keys.empty()) return {};
    const glm::i64vec3 goal = cellsFollowed(settings_, home_, time()), shift = goal - state_.followed;
    if (shift == glm::i64vec3(0)) return {};
    state_.followed = goal;
    placeBox();
    shiftObstacles(rec);
    // From this distance on, all cells and all faces are new.
    const glm::i64vec3 farthest(fields_.domain.cells() + settings_.grid.pressureRatio);
    const glm::ivec3 cells(glm::clamp(shift, -farthest, farthest));
    recordScroll(rec, fields_.domain, fields_.flow, fields_.pressure, fields_.smoke, settings_, cells, time());
    if (hasObstacles()) recordAperture(rec);
    return cells;
}

// Uses the obstacles of the last step, because the settings may have changed since. Later in the step, removed obstacles free their cells
// and new obstacles cover theirs.
void FluidSimulator::shiftObstacles(engine::Recorder& rec) {
    setCommon(rec);
    fields_.domain.rewriteAll();
    uploaded_.origin = settings_.grid.origin;
    fields_.domain.solids = cellsOfObstacles(uploaded_);
    uploaded_.solidsLow = glm::vec3(fields_.domain.solids.first);
    uploaded_.solidsHigh = glm::vec3(fields_.domain.solids.first + glm::ivec3(fields_.domain.solids.size));
    rec.update(fields_.domain.step, std::as_bytes(std::span(&uploaded_, 1)));
}

void FluidSimulator::recordSlots(engine::Recorder& rec, std::uint64_t step) {
    const Bricks& b = *fields_.domain.bricks;
    SlotPlan& plan = state_.slots;
    plan.setSlots(b.slotCounts());
    const SlotCounts wanted = plan.wanted(step);
    if (wanted == plan.slots()) return;
    const SlotCounts slots = slotsWithin(fields_, wanted, slotMemory_, device_.report().limits.maxImageDimension3D);
    if (slots == plan.slots()) return;
    setCommon(rec);
    recordMoreSlots(device_, rec, fields_, slots);
    plan.setSlots(slots);
}

void FluidSimulator::readSlots(engine::Recorder& rec, std::uint64_t step) {
    if (!SlotPlan::reads(step)) return;
    const auto used = std::make_shared<SlotCounts>();
    rec.read(fields_.domain.bricks->list, offsetof(gpu::BrickList, kept), 3 * sizeof(std::uint32_t),
             [used](std::span<const std::byte> bytes) {
                 std::array<std::uint32_t, 3> counts{};  // kept, opened, halo
                 std::memcpy(counts.data(), bytes.data(), sizeof counts);
                 *used = {counts[0] + counts[1] + counts[2] + WISP_BLANK_SLOTS, counts[0] + counts[1] + WISP_BLANK_SLOTS};
             });
    state_.slots.read(step, used);
}

float FluidSimulator::speedOf(int obstacle) const {
    const gpu::ObstacleData& o = uploaded_.obstacles[obstacle];
    return glm::length(o.velocity) + glm::length(o.angularVelocity) * boundingRadius(o.shape) +
           fields_.domain.meshes.speedOf(settings_.obstacles[static_cast<std::size_t>(obstacle)].shape);
}

gpu::CrossedPush FluidSimulator::crossedPush() const {
    float speed = 0.0f;
    for (int n = 0; n < uploaded_.obstacleCount; ++n)
        if ((crossedBodies_.bits() >> n & 1u) != 0) speed = std::max(speed, speedOf(n));
    return {.bodies = static_cast<int>(crossedBodies_.bits()), .motion = speed * settings_.timeStep / settings_.grid.cellSize()};
}

Seeds FluidSimulator::seedsOfStep(const StepInput& in) const {
    Seeds seeds;
    const GridSettings& grid = settings_.grid;
    const auto dt = static_cast<double>(settings_.timeStep);
    for (const std::vector<EmitterSettings>* emitters : {&settings_.emitters, &in.painted})
        for (const EmitterSettings& e : *emitters) {
            for (const CellBox& box : emitterCells(e, grid, fields_.domain.meshes.grids(), in.time, dt)) seeds.add(box);
            if (e.hasVelocity) seeds.speed = std::max(seeds.speed, glm::length(e.velocity) + e.turbulence);
            seeds.speed = std::max(seeds.speed, std::abs(e.inheritVelocity) *
                                                    (glm::length(emitterMotion(e, in.time, dt)) + fields_.domain.meshes.speedOf(e.shape)));
        }
    for (const auto& [stroke, motion] : in.strokes) {
        seeds.add(cellsTouched(strokeShape(stroke, motion), grid, grid.cellSize(), fields_.domain.faces()));
        seeds.speed = std::max(seeds.speed, std::abs(stroke.force));
    }
    for (int n = 0; n < uploaded_.obstacleCount; ++n) seeds.speed = std::max(seeds.speed, speedOf(n));
    return seeds;
}

std::vector<std::pair<StrokeSettings, MotionSegment>> FluidSimulator::strokesOfStep() {
    std::vector<std::pair<StrokeSettings, MotionSegment>> strokes = std::exchange(strokes_, {});
    for (const StrokeSettings& stroke : settings_.strokes)
        if (const auto motion = strokeDuring(stroke, time(), static_cast<double>(settings_.timeStep)))
            strokes.emplace_back(stroke, *motion);
    return strokes;
}

}  // namespace wisp
