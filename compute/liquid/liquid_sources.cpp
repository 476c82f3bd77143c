// SPDX-License-Identifier: MIT
#include "compute/liquid/liquid_passes.h"
#include "compute/scene/motion.h"
#include "compute/scene/shape_data.h"
#include "shaders/shared/liquid/liquid.h"

#include <cmath>
#include <utility>

namespace wisp {
namespace {

int subcellsAlongEdge(const Settings& s) {
    return static_cast<int>(std::lround(std::cbrt(static_cast<double>(s.liquid.particlesPerCell))));
}

glm::uvec3 threads(std::uint64_t count) { return {static_cast<std::uint32_t>(count), 1, 1}; }

// Counts the particles of each cell, and marks its subcells that contain particles.
void recordCount(engine::Recorder& rec, Liquid& l, int edge) {
    rec.clear(l.counts, 0);
    rec.clear(l.taken, 0);
    rec.dispatch("liquid_count", l.particles(),
                 {{"positions", l.positions[0]},
                  {"velocities", l.velocities[0]},
                  {"cellFirst", l.cellFirst[0]},
                  {"counts", l.counts},
                  {"ranksOut", l.ranks},
                  {"removed", l.removed},
                  {"taken", l.taken}},
                 edge);
}

// Splats subcells of thin cells, in which surplus particles of other cells are spawned again.
void recordReseed(engine::Recorder& rec, const Domain& d, Liquid& l, const gpu::LiquidSpawn& spawn) {
    rec.clear(l.respawned[1], 0);
    rec.dispatch("liquid_reseed", d.cells(),
                 {{"counts", l.counts},
                  {"taken", l.taken},
                  {"spawnedOut", l.spawned},
                  {"aperture", d.aperture},
                  {"removed", l.removed},
                  {"respawnedIn", l.respawned[0]},
                  {"respawnedOut", l.respawned[1]}},
                 spawn);
    std::swap(l.respawned[0], l.respawned[1]);
}

void recordFillShape(engine::Recorder& rec, const Domain& d, Liquid& l, const Settings& s, const gpu::ShapeData& shape) {
    const CellBox box = cellsTouched(shape, s.grid, s.grid.cellSize(), d.cells());
    rec.dispatch("liquid_source", box.size, {{"taken", l.taken}, {"spawned", l.spawned}},
                 gpu::LiquidSource{.shape = shape, .first = box.first, .edge = subcellsAlongEdge(s)});
}

void recordSetVelocity(engine::Recorder& rec, const Domain& d, Liquid& l, const Settings& s, const gpu::ShapeData& shape,
                       glm::vec3 velocity) {
    const CellBox box = cellsTouched(shape, s.grid, s.grid.cellSize(), d.cells());
    rec.dispatch("liquid_set_velocity", box.size,
                 {{"positions", l.positions[0]},
                  {"cellFirst", l.cellFirst[0]},
                  {"velocitiesOut", l.velocities[0]},
                  {"gradientsOut", l.gradients[0]}},
                 gpu::LiquidSetVelocity{.shape = shape, .first = box.first, .velocity = velocity});
}

// Emitters fill all of their path in a step from `time` that takes `dt` [s].
void recordFillEmitters(engine::Recorder& rec, const Domain& d, Liquid& l, const Settings& s, std::span<const EmitterSettings> emitters,
                        double time, double dt) {
    for (const EmitterSettings& e : emitters) {
        if (!e.liquid) continue;
        for (const Shape& shape : emitterShapes(e, s.grid, time, dt))
            recordFillShape(rec, d, l, s, emitterData(e, shape, s.grid, d.meshes.grids()));
    }
}

void recordSetEmitterVelocity(engine::Recorder& rec, const Domain& d, Liquid& l, const Settings& s,
                              std::span<const EmitterSettings> emitters, double time, double dt) {
    for (const EmitterSettings& e : emitters) {
        if (!e.liquid || !e.hasVelocity) continue;
        for (const Shape& shape : emitterShapes(e, s.grid, time, dt))
            recordSetVelocity(rec, d, l, s, emitterData(e, shape, s.grid, d.meshes.grids()), e.velocity);
    }
}

// Sorts particles by cell, and adds the particles that `births` marks.
void recordSort(engine::Recorder& rec, const Domain& d, const Flow& flow, Liquid& l, const gpu::LiquidSpawn& spawn) {
    const std::uint64_t cells = std::uint64_t{d.cells().x} * d.cells().y * d.cells().z;
    constexpr std::uint64_t kScanned = WISP_SCAN_CELLS;
    rec.dispatch("liquid_scan", threads((cells + kScanned - 1) / kScanned),
                 {{"counts", l.counts},
                  {"spawned", l.spawned},
                  {"firstOut", l.cellFirst[1]},
                  {"spawnedFirstOut", l.spawnedFirst},
                  {"blocksOut", l.blocks}});
    constexpr std::uint64_t kBlock = kScanned * WISP_SCAN_THREADS;
    rec.dispatch("liquid_scan_blocks", threads(WISP_SCAN_THREADS), {{"blocks", l.blocks}},
                 static_cast<std::uint32_t>((cells + kBlock - 1) / kBlock));
    rec.dispatch("liquid_first", threads(cells + 1),
                 {{"spawnedFirst", l.spawnedFirst}, {"blocks", l.blocks}, {"cellFirst", l.cellFirst[1]}, {"removed", l.removed}}, l.most);
    rec.dispatch("liquid_order", l.particles(),
                 {{"positions", l.positions[0]},
                  {"ranks", l.ranks},
                  {"cellFirstBefore", l.cellFirst[0]},
                  {"cellFirst", l.cellFirst[1]},
                  {"orderOut", l.order}});
    rec.dispatch("liquid_sort", l.particles(),
                 {{"positions", l.positions[0]},
                  {"velocities", l.velocities[0]},
                  {"gradients", l.gradients[0]},
                  {"ranks", l.ranks},
                  {"counts", l.counts},
                  {"cellFirstBefore", l.cellFirst[0]},
                  {"cellFirst", l.cellFirst[1]},
                  {"order", l.order},
                  {"positionsOut", l.positions[1]},
                  {"velocitiesOut", l.velocities[1]},
                  {"gradientsOut", l.gradients[1]}});
    for (auto* pair : {&l.positions, &l.velocities, &l.gradients, &l.cellFirst}) std::swap((*pair)[0], (*pair)[1]);
    rec.dispatch("liquid_spawn", d.cells(),
                 {{"velocity", flow.divergenceFree()},
                  {"counts", l.counts},
                  {"spawned", l.spawned},
                  {"cellFirst", l.cellFirst[0]},
                  {"positionsOut", l.positions[0]},
                  {"velocitiesOut", l.velocities[0]},
                  {"gradientsOut", l.gradients[0]}},
                 spawn);
}

gpu::LiquidSpawn spawnPush(const Settings& s, std::uint64_t step) {
    return {.edge = subcellsAlongEdge(s), .jitter = s.liquid.jitter, .seed = s.seed, .step = static_cast<std::uint32_t>(step)};
}

}  // namespace

void recordLiquidAtStart(engine::Recorder& rec, const Domain& d, Flow& flow, PressureSystem& p, Liquid& l, const Settings& s) {
    // There are no particles yet. Cleared so that checkpoints contain no undefined values.
    for (const auto* both : {&l.positions, &l.velocities, &l.gradients, &l.cellFirst, &l.respawned})
        for (const engine::Buffer& b : *both) rec.clear(b, 0);
    rec.clear(l.removed, 0);
    rec.clear(l.speed, 0);
    recordCount(rec, l, subcellsAlongEdge(s));
    rec.clear(l.spawned, 0);
    for (const InitialSettings& i : s.initial)
        if (i.liquid) recordFillShape(rec, d, l, s, shapeData(i.shape, s.grid));
    recordFillEmitters(rec, d, l, s, s.emitters, 0.0, 0.0);
    recordSort(rec, d, flow, l, spawnPush(s, 0));
    for (const InitialSettings& i : s.initial)
        if (i.liquid) recordSetVelocity(rec, d, l, s, shapeData(i.shape, s.grid), i.velocity);
    recordSetEmitterVelocity(rec, d, l, s, s.emitters, 0.0, 0.0);
    // For pictures and measurements before the first step.
    recordParticlesToGrid(rec, d, flow, l);
    recordLiquidSurface(rec, d, flow.velocity, p, l, s);
}

void recordLiquidSources(engine::Recorder& rec, const Domain& d, const Flow& flow, Liquid& l, const Settings& s,
                         std::span<const EmitterSettings> emitters, std::uint64_t step, double time) {
    const gpu::LiquidSpawn spawn = spawnPush(s, step);
    recordCount(rec, l, spawn.edge);
    if (s.liquid.reseed) recordReseed(rec, d, l, spawn);
    else rec.clear(l.spawned, 0);
    const auto dt = static_cast<double>(s.timeStep);
    recordFillEmitters(rec, d, l, s, emitters, time, dt);
    recordSort(rec, d, flow, l, spawn);
    recordSetEmitterVelocity(rec, d, l, s, emitters, time, dt);
}

}  // namespace wisp
