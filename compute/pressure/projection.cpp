// SPDX-License-Identifier: MIT
#include "compute/pressure/pressure.h"
#include "compute/pressure/push.h"

#include <glm/vector_relational.hpp>

#include <cmath>

namespace wisp {
namespace {

using engine::Traffic;

// For pressure_ratio 1: the pressure grid is the fine grid, so nothing is upsampled.
void recordSubtractGradient(engine::Recorder& rec, const Domain& d, PressureSystem& s, Flow& flow) {
    rec.dispatch("subtract_gradient", d.faces(),
                 {{"weights", Traffic::none(s.weights)},
                  {"regular", s.regular},
                  {"pressureIn", s.pressure[0]},
                  {"velocityIn", flow.velocity},
                  {"velocityOut", flow.projected}});
    recordWrapFaces(rec, d, flow.projected);
    recordCentreVelocity(rec, d, flow, flow.projected);
}

void recordGradient(engine::Recorder& rec, const Domain& d, PressureSystem& s, const gpu::Level& level, const engine::Image& velocity,
                    const engine::Image& aperture) {
    rec.dispatch("pressure_gradient", d.pressureFaces(),
                 {{"weights", s.weights},
                  {"pressureIn", s.pressure[0]},
                  {"velocity", Traffic::none(velocity)},
                  {"aperture", Traffic::none(aperture)},
                  {"correction", s.correction},
                  {"means", level.keep < 1.0f ? Traffic::all(s.means) : Traffic::none(s.means)},
                  {"regular", s.regular}},
                 level);
}

// One round of upsampling, from a grid to the next finer one. `correction` is interpolated without divergence inside a block.
struct Round {
    const engine::Buffer& correction;
    const engine::Image &velocity, &aperture, &result;
    const Blocks& blocks;
};

// Blocks that may not be clear (see open_faces.comp): those around obstacles, or all if some have fewer than eight cells.
CellBox blocksWithSolids(const Domain& d, const gpu::Level& level) {
    const glm::uvec3 all = d.blocksOf(level.cells);
    glm::ivec3 left = level.cells % 2;
    if (d.grid.isFlat()) left.z = 0;  // see inLayer
    if (left != glm::ivec3(0)) return {glm::ivec3(0), all};
    const int edge = 2 * level.fineCells;
    const glm::ivec3 first = d.solids.first / edge, last = (d.solids.first + glm::ivec3(d.solids.size)) / edge;
    return {first, glm::any(glm::equal(d.solids.size, glm::uvec3(0))) ? glm::uvec3(0) : glm::uvec3(last - first) + 1u};
}

void recordRound(engine::Recorder& rec, const Domain& d, Flow& flow, const gpu::Level& level, const Round& r) {
    const glm::uvec3 blocks = d.blocksOf(level.cells);
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
                  {"centreOut", flow.centre},
                  {"centreVectors", flow.centreVectors}},
                 level);
    const CellBox solid = blocksWithSolids(d, level);
    gpu::Level from = level;
    from.first = solid.first;
    const std::uint64_t count = std::uint64_t{solid.size.x} * solid.size.y * solid.size.z;
    const auto around = [&](const engine::Image& image) { return Traffic::texels(image, 8 * count); };  // 8 cells per block
    rec.dispatch("repair", solid.size * glm::uvec3(8, 1, 1),                                            // one thread per cell
                 {{"aperture", around(r.aperture)},
                  {"solidOutflow", around(r.velocity)},
                  {"openFaces", Traffic::bytes(r.blocks.openFaces, count * sizeof(std::uint32_t))},
                  {"velocityIn", around(r.result)},
                  {"velocityOut", around(r.result)},
                  {"centreOut", around(flow.centre)},
                  {"centreVectors", Traffic::bytes(flow.centreVectors, 8 * count * d.vectorBytes())}},
                 from);
}

// For pressure_ratio 4: the first of two rounds, from the pressure grid to the intermediate grid.
void recordMiddle(engine::Recorder& rec, const Domain& d, PressureSystem& s, Flow& flow, const gpu::Level& fine) {
    const MiddleGrid& m = *s.middle;
    const gpu::Level level{.cells = m.cells, .fineCells = 2, .keep = fine.keep};
    recordGradient(rec, d, s, level, m.velocity, m.aperture);
    recordRound(rec, d, flow, level,
                {.correction = s.correction, .velocity = m.velocity, .aperture = m.aperture, .result = m.projected, .blocks = m.blocks});
    rec.dispatch("correction", d.facesOf(m.cells),
                 {{"aperture", m.aperture}, {"before", m.velocity}, {"projected", m.projected}, {"correctionOut", m.correction}}, level);
}

float detailKept(const Settings& settings) { return std::exp(-settings.flow.detailDecay * settings.timeStep); }

}  // namespace

void recordDownsample(engine::Recorder& rec, const Domain& d, const Flow& flow, PressureSystem& s, const Settings& settings) {
    const float keep = d.grid.pressureRatio > 1 ? detailKept(settings) : 1.0f;
    if (s.middle) {
        rec.dispatch("restrict_velocity", d.facesOf(s.middle->cells),
                     {{"aperture", Traffic::none(d.aperture)},
                      {"openFaces", s.blocks.openFaces},
                      {"velocity", flow.velocity},
                      {"coarseOut", s.middle->velocity}},
                     gpu::Level{.cells = d.cells(), .fineCells = 1, .keep = keep});
    }
    const DownsamplePush push{d.pressureLevel(), keep < 1.0f ? 1 : 0};
    rec.dispatch("downsample", d.pressureCells(),
                 {{"velocity", s.middle ? Traffic::none(flow.velocity) : Traffic::all(flow.velocity)},
                  {"finer", s.middle ? s.middle->velocity : flow.velocity},
                  {"aperture", Traffic::none(d.aperture)},
                  {"regular", s.regular},
                  {"rhsOut", s.rhs},
                  {"meansOut", keep < 1.0f ? Traffic::all(s.means) : Traffic::none(s.means)}},
                 push);
}

void recordProject(engine::Recorder& rec, const Domain& d, PressureSystem& s, Flow& flow, const Settings& settings) {
    flow.isProjected = true;
    if (d.grid.pressureRatio == 1) return recordSubtractGradient(rec, d, s, flow);
    const gpu::Level level{.cells = d.cells(), .fineCells = 1, .keep = detailKept(settings)};
    if (s.middle) recordMiddle(rec, d, s, flow, level);
    else recordGradient(rec, d, s, level, flow.velocity, d.aperture);
    const engine::Buffer& correction = s.middle ? s.middle->correction : s.correction;
    recordRound(
        rec, d, flow, level,
        {.correction = correction, .velocity = flow.velocity, .aperture = d.aperture, .result = flow.projected, .blocks = s.blocks});
    recordWrapFaces(rec, d, flow.projected);
}

}  // namespace wisp
