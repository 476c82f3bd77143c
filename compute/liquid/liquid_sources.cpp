// SPDX-License-Identifier: MIT
#include "compute/liquid/liquid_passes.h"
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
                 {{"places", l.places[0]},
                  {"velocities", l.velocities[0]},
                  {"cellFirst", l.cellFirst[0]},
                  {"counts", l.counts},
                  {"ranksOut", l.ranks},
                  {"gone", l.gone},
                  {"taken", l.taken}},
                 edge);
}

// Marks subcells of thin cells, in which surplus particles of other cells are spawned again.
void recordReseed(engine::Recorder& rec, const Domain& d, Liquid& l, const gpu::LiquidNewborn& newborn) {
    rec.clear(l.reborn[1], 0);
    rec.dispatch("liquid_reseed", d.cells(),
                 {{"counts", l.counts},
                  {"taken", l.taken},
                  {"birthsOut", l.births},
                  {"openness", d.openness},
                  {"gone", l.gone},
                  {"rebornIn", l.reborn[0]},
                  {"rebornOut", l.reborn[1]}},
                 newborn);
    std::swap(l.reborn[0], l.reborn[1]);
}

void recordFillShape(engine::Recorder& rec, const Domain& d, Liquid& l, const Settings& s, const Shape& shape) {
    const CellBox box = cellsTouched(shape, s.grid, s.grid.cellSize(), d.cells());
    rec.dispatch("liquid_source", box.size, {{"taken", l.taken}, {"births", l.births}},
                 gpu::LiquidBirths{.shape = shapeData(shape, s.grid), .first = box.first, .edge = subcellsAlongEdge(s)});
}

void recordSetVelocity(engine::Recorder& rec, const Domain& d, Liquid& l, const Settings& s, const Shape& shape, glm::vec3 velocity) {
    const CellBox box = cellsTouched(shape, s.grid, s.grid.cellSize(), d.cells());
    rec.dispatch(
        "liquid_hold", box.size,
        {{"places", l.places[0]}, {"cellFirst", l.cellFirst[0]}, {"velocitiesOut", l.velocities[0]}, {"gradientsOut", l.gradients[0]}},
        gpu::LiquidHold{.shape = shapeData(shape, s.grid), .first = box.first, .velocity = velocity});
}

// Sorts particles by cell, and adds the particles that `births` marks.
void recordSort(engine::Recorder& rec, const Domain& d, const Flow& flow, Liquid& l, const gpu::LiquidNewborn& newborn) {
    const std::uint64_t cells = std::uint64_t{d.cells().x} * d.cells().y * d.cells().z;
    constexpr std::uint64_t kScanned = WISP_SCAN_CELLS;
    rec.dispatch("liquid_scan", threads((cells + kScanned - 1) / kScanned),
                 {{"counts", l.counts},
                  {"births", l.births},
                  {"firstOut", l.cellFirst[1]},
                  {"birthFirstOut", l.birthFirst},
                  {"blocksOut", l.blocks}});
    constexpr std::uint64_t kBlock = kScanned * WISP_SCAN_THREADS;
    rec.dispatch("liquid_scan_blocks", threads(WISP_SCAN_THREADS), {{"blocks", l.blocks}},
                 static_cast<std::uint32_t>((cells + kBlock - 1) / kBlock));
    rec.dispatch("liquid_first", threads(cells + 1),
                 {{"birthFirst", l.birthFirst}, {"blocks", l.blocks}, {"cellFirst", l.cellFirst[1]}, {"gone", l.gone}}, l.most);
    rec.dispatch("liquid_place", l.particles(),
                 {{"places", l.places[0]},
                  {"ranks", l.ranks},
                  {"cellFirstBefore", l.cellFirst[0]},
                  {"cellFirst", l.cellFirst[1]},
                  {"orderOut", l.order}});
    rec.dispatch("liquid_sort", l.particles(),
                 {{"places", l.places[0]},
                  {"velocities", l.velocities[0]},
                  {"gradients", l.gradients[0]},
                  {"ranks", l.ranks},
                  {"counts", l.counts},
                  {"cellFirstBefore", l.cellFirst[0]},
                  {"cellFirst", l.cellFirst[1]},
                  {"order", l.order},
                  {"placesOut", l.places[1]},
                  {"velocitiesOut", l.velocities[1]},
                  {"gradientsOut", l.gradients[1]}});
    for (auto* pair : {&l.places, &l.velocities, &l.gradients, &l.cellFirst}) std::swap((*pair)[0], (*pair)[1]);
    rec.dispatch("liquid_newborn", d.cells(),
                 {{"velocity", flow.divergenceFree()},
                  {"counts", l.counts},
                  {"births", l.births},
                  {"cellFirst", l.cellFirst[0]},
                  {"placesOut", l.places[0]},
                  {"velocitiesOut", l.velocities[0]},
                  {"gradientsOut", l.gradients[0]}},
                 newborn);
}

gpu::LiquidNewborn spawnPush(const Settings& s, std::uint64_t step) {
    return {.edge = subcellsAlongEdge(s), .jitter = s.liquid.jitter, .seed = s.seed, .step = static_cast<std::uint32_t>(step)};
}

}  // namespace

void recordLiquidAtStart(engine::Recorder& rec, const Domain& d, Flow& flow, PressureSystem& p, Liquid& l, const Settings& s) {
    // There are no particles yet. Cleared so that checkpoints contain no undefined values.
    for (const auto* both : {&l.places, &l.velocities, &l.gradients, &l.cellFirst, &l.reborn})
        for (const engine::Buffer& b : *both) rec.clear(b, 0);
    rec.clear(l.gone, 0);
    rec.clear(l.speed, 0);
    recordCount(rec, l, subcellsAlongEdge(s));
    rec.clear(l.births, 0);
    for (const InitialSettings& i : s.initial)
        if (i.liquid) recordFillShape(rec, d, l, s, i.shape);
    for (const EmitterSettings& e : s.emitters)
        if (e.liquid) recordFillShape(rec, d, l, s, e.shape);
    recordSort(rec, d, flow, l, spawnPush(s, 0));
    for (const InitialSettings& i : s.initial)
        if (i.liquid) recordSetVelocity(rec, d, l, s, i.shape, i.velocity);
    for (const EmitterSettings& e : s.emitters)
        if (e.liquid && e.hasVelocity) recordSetVelocity(rec, d, l, s, e.shape, e.velocity);
    // For pictures and measurements before the first step.
    recordParticlesToGrid(rec, d, flow, l);
    recordLiquidSurface(rec, d, flow.velocity, p, l, s);
}

void recordLiquidSources(engine::Recorder& rec, const Domain& d, const Flow& flow, Liquid& l, const Settings& s,
                         std::span<const EmitterSettings> emitters, std::uint64_t step) {
    const gpu::LiquidNewborn newborn = spawnPush(s, step);
    recordCount(rec, l, newborn.edge);
    if (s.liquid.reseed) recordReseed(rec, d, l, newborn);
    else rec.clear(l.births, 0);
    for (const EmitterSettings& e : emitters)
        if (e.liquid) recordFillShape(rec, d, l, s, e.shape);
    recordSort(rec, d, flow, l, newborn);
    for (const EmitterSettings& e : emitters)
        if (e.liquid && e.hasVelocity) recordSetVelocity(rec, d, l, s, e.shape, e.velocity);
}

}  // namespace wisp
