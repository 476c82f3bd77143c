// SPDX-License-Identifier: MIT
#include "compute/pressure/push.h"
#include "compute/smoke/passes.h"
#include "shaders/shared/level.h"

#include <glm/vector_relational.hpp>

#include <cmath>
#include <utility>

namespace wisp {
namespace {

// The pressure grid is the fine one: nothing to carry over.
void recordSubtractGradient(engine::Recorder& rec, Fields& f) {
    rec.dispatch("subtract_gradient", f.faces(),
                 {{"weights", few(f.weights)},
                  {"regular", f.regular},
                  {"pressureIn", f.pressure[0]},
                  {"velocityIn", f.velocity},
                  {"velocityOut", f.scratch[0]}});
    std::swap(f.velocity, f.scratch[0]);
    recordWrapFaces(rec, f, f.velocity);
    rec.dispatch("centre_velocity", f.cells(), {{"velocity", f.velocity}, {"centreOut", f.centre}, {"centreVectors", f.centreVectors}});
}

void recordGradient(engine::Recorder& rec, Fields& f, const gpu::Level& level, const engine::Image& velocity,
                    const engine::Image& openness) {
    rec.dispatch("pressure_gradient", f.pressureFaces(),
                 {{"weights", f.weights},
                  {"pressureIn", f.pressure[0]},
                  {"velocity", few(velocity)},
                  {"openness", few(openness)},
                  {"correction", f.correction},
                  {"means", level.keep < 1.0f ? whole(f.means) : few(f.means)},
                  {"regular", f.regular}},
                 level);
}

// From a grid to the next finer one: `correction` is carried over and leaves no divergence inside a block.
struct Round {
    const engine::Buffer& correction;
    const engine::Image &velocity, &openness, &result;
    const BlockFields& blocks;
};

// Blocks that may not be clear: around obstacles, and all where some are cut short.
CellBox blocksWithSolids(const Fields& f, const gpu::Level& level) {
    const glm::uvec3 all = f.blocksOf(level.cells);
    glm::ivec3 left = level.cells % 2;
    if (f.grid.isFlat()) left.z = 0;  // see inLayer
    if (left != glm::ivec3(0)) return {glm::ivec3(0), all};
    const int edge = 2 * level.fineCells;
    const glm::ivec3 first = f.solids.first / edge, last = (f.solids.first + glm::ivec3(f.solids.size)) / edge;
    return {first, glm::any(glm::equal(f.solids.size, glm::uvec3(0))) ? glm::uvec3(0) : glm::uvec3(last - first) + 1u};
}

void recordRound(engine::Recorder& rec, Fields& f, const gpu::Level& level, const Round& r) {
    const glm::uvec3 blocks = f.blocksOf(level.cells);
    const auto& [x, y, z] = r.blocks.changes;
    rec.dispatch("correction_changes", blocks,
                 {{"openFaces", r.blocks.openFaces},
                  {"smoothFaces", r.blocks.smoothFaces},
                  {"correction", r.correction},
                  {"changesX", x},
                  {"changesY", y},
                  {"changesZ", z}},
                 level);
    rec.dispatch("project", blocks,
                 {{"openFaces", r.blocks.openFaces},
                  {"changesX", x},
                  {"changesY", y},
                  {"changesZ", z},
                  {"velocityIn", r.velocity},
                  {"velocityOut", r.result},
                  {"centreOut", f.centre},
                  {"centreVectors", f.centreVectors}},
                 level);
    const CellBox solid = blocksWithSolids(f, level);
    gpu::Level from = level;
    from.first = solid.first;
    const std::uint64_t count = std::uint64_t{solid.size.x} * solid.size.y * solid.size.z;
    const auto around = [&](const engine::Image& image) { return part(image, 8 * count); };  // cells of a block
    rec.dispatch("repair", solid.size * glm::uvec3(8, 1, 1),                                 // a thread a cell
                 {{"openness", around(r.openness)},
                  {"solidOutflow", around(r.velocity)},
                  {"openFaces", part(r.blocks.openFaces, count * sizeof(std::uint32_t))},
                  {"velocityIn", around(r.result)},
                  {"velocityOut", around(r.result)},
                  {"centreOut", around(f.centre)},
                  {"centreVectors", part(f.centreVectors, 8 * count * f.vectorBytes())}},
                 from);
}

// Ratio 4: the first of two rounds, from the pressure grid to the grid between.
void recordMiddle(engine::Recorder& rec, Fields& f, MiddleFields& m, const gpu::Level& fine) {
    const glm::uvec3 faces = f.facesOf(m.cells);
    const gpu::Level level{.cells = m.cells, .fineCells = 2, .keep = fine.keep};
    recordGradient(rec, f, level, m.velocity, m.openness);
    recordRound(rec, f, level,
                {.correction = f.correction, .velocity = m.velocity, .openness = m.openness, .result = m.projected, .blocks = m.blocks});
    rec.dispatch("correction", faces,
                 {{"openness", m.openness}, {"before", m.velocity}, {"projected", m.projected}, {"correctionOut", m.correction}}, level);
}

float detailKept(const Settings& s) { return std::exp(-s.flow.detailDecay * s.timeStep); }

}  // namespace

void recordDownsample(engine::Recorder& rec, Fields& f, const Settings& s) {
    const float keep = f.grid.pressureRatio > 1 ? detailKept(s) : 1.0f;
    if (f.middle) {
        rec.dispatch(
            "restrict_velocity", f.facesOf(f.middle->cells),
            {{"openness", few(f.openness)}, {"openFaces", f.blocks.openFaces}, {"velocity", f.velocity}, {"coarseOut", f.middle->velocity}},
            gpu::Level{.cells = f.cells(), .fineCells = 1, .keep = keep});
    }
    const DownsamplePush push{f.pressureLevel(), keep < 1.0f ? 1 : 0};
    rec.dispatch("downsample", f.pressureCells(),
                 {{"velocity", f.middle ? few(f.velocity) : whole(f.velocity)},
                  {"finer", f.middle ? f.middle->velocity : f.velocity},
                  {"openness", few(f.openness)},
                  {"regular", f.regular},
                  {"rhsOut", f.rhs},
                  {"meansOut", keep < 1.0f ? whole(f.means) : few(f.means)}},
                 push);
}

void recordProject(engine::Recorder& rec, Fields& f, const Settings& s) {
    if (f.grid.pressureRatio == 1) return recordSubtractGradient(rec, f);
    const gpu::Level level{.cells = f.cells(), .fineCells = 1, .keep = detailKept(s)};
    if (f.middle) recordMiddle(rec, f, *f.middle, level);
    else recordGradient(rec, f, level, f.velocity, f.openness);
    const engine::Buffer& correction = f.middle ? f.middle->correction : f.correction;
    recordRound(rec, f, level,
                {.correction = correction, .velocity = f.velocity, .openness = f.openness, .result = f.scratch[0], .blocks = f.blocks});
    std::swap(f.velocity, f.scratch[0]);
    recordWrapFaces(rec, f, f.velocity);
}

}  // namespace wisp
