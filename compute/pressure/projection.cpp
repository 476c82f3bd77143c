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
    // In a sparse simulation bricks are filled with the upsampled velocity on these coarse faces, which replaces the correction.
    const engine::Image* coarse = nullptr;
    bool writesCentres = true;
};

// Bricks of a sparse simulation whose blocks a round computes. The next round takes slopes across the border of filled bricks.
BrickPart partOf(const Round& r, const gpu::Level& level) { return r.coarse && level.fineCells == 1 ? BrickPart::Fill : BrickPart::Listed; }

// `beside`: blocks of this level beside those that are needed.
engine::Threads blocksOf(const Domain& d, const gpu::Level& level, BrickPart part, int beside, engine::ShaderConstants more = {}) {
    const glm::uvec3 blocks = d.blocksOf(level.cells);
    if (!d.bricks) return blocks;
    const int edge = 2 * level.fineCells;  // of a block [fine cells]; the finer level needs one more block of this level
    const auto around = static_cast<std::uint32_t>(WISP_NEAR_PATHS + beside * edge + (level.fineCells > 1 ? 2 * edge : 0));
    const engine::Threads threads = d.bricks->over(part, WISP_BRICK_EDGE / static_cast<std::uint32_t>(edge), around, std::move(more));
    return d.inRounds(threads, level.fineCells == 1 ? kBlockRounds : 1);
}

// How far from filled bricks a fill depends on kept ones [fine cells]: the blocks beside them, and on the intermediate grid the blocks
// whose corrections the blocks beside them need.
std::uint32_t borderOfFill(const gpu::Level& level) { return static_cast<std::uint32_t>(level.fineCells > 1 ? 4 * level.fineCells : 2); }

// Fine velocity -> the grid between fine and pressure grid. `border`: of kept bricks, only so near to filled ones [cells]; 0: all.
void recordRestrictToMiddle(engine::Recorder& rec, const Domain& d, const PressureSystem& s, const engine::Image& velocity,
                            std::uint32_t border = 0) {
    const gpu::Level level{.cells = d.cells(), .fineCells = 1, .keep = 1.0f};
    engine::ShaderConstants near;
    if (d.bricks) near = {{"kBorder", border}};
    rec.dispatch("restrict_velocity", blocksOf(d, level, BrickPart::Listed, 4, near),
                 {{"aperture", Traffic::none(d.aperture)},
                  {"openFaces", s.blocks.openFaces},
                  {"velocity", velocity},
                  {"coarseOut", s.middle->velocity}},
                 level);
}

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

void recordRound(engine::Recorder& rec, const Domain& d, const Flow& flow, const gpu::Level& level, const Round& r) {
    const auto& [x, y, z] = r.blocks.changes;
    const BrickPart part = partOf(r, level);
    engine::ShaderConstants fills, changes, blocks;
    if (r.coarse) {
        fills = {{"kFills", 1}, {"kWritesCentres", r.writesCentres ? 1 : 0}};
        changes = {{"kFills", 1}, {"kBorder", borderOfFill(level)}};
        if (level.fineCells > 1) blocks = {{"kBorder", borderOfFill(level) / 2}};  // on the fine grid, the list has only filled bricks
    }
    if (level.fineCells > 1) blocks.merge(d.cubes(4));
    blocks.insert(fills.begin(), fills.end());
    changes.merge(d.cubes(WISP_BRICK_EDGE / static_cast<std::uint32_t>(2 * level.fineCells)));  // the blocks along an edge of a brick
    rec.dispatch("correction_changes", blocksOf(d, level, BrickPart::Listed, 2, changes),
                 {{"openFaces", r.blocks.openFaces},
                  {"smoothFaces", r.blocks.smoothFaces},
                  {"correction", r.correction},
                  {"coarseFaces", r.coarse ? Traffic::all(*r.coarse) : Traffic::none(r.velocity)},
                  {"changesX", x},
                  {"changesY", y},
                  {"changesZ", z}},
                 level);
    rec.dispatch("project", blocksOf(d, level, part, 0, blocks),
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
    rec.dispatch("repair", {solid.size * glm::uvec3(8, 1, 1), fills},                                   // one thread per cell
                 {{"aperture", around(r.aperture)},
                  {"solidOutflow", around(r.velocity)},
                  {"openFaces", Traffic::bytes(r.blocks.openFaces, count * sizeof(std::uint32_t))},
                  {"velocityIn", around(r.result)},
                  {"velocityOut", around(r.result)},
                  {"centreOut", around(flow.centre)},
                  {"centreVectors", Traffic::bytes(flow.centreVectors, 8 * count * d.vectorBytes())}},
                 from);
}

// For pressure_ratio 4: the first of two rounds, from the pressure grid to the intermediate grid. Leaves its correction in m.correction.
void recordMiddle(engine::Recorder& rec, const Domain& d, const PressureSystem& s, const MiddleGrid& m, const Flow& flow,
                  const gpu::Level& level) {
    recordRound(rec, d, flow, level,
                {.correction = s.correction, .velocity = m.velocity, .aperture = m.aperture, .result = m.projected, .blocks = m.blocks});
    rec.dispatch("correction", d.bricks ? d.bricks->over(BrickPart::Listed, WISP_BRICK_EDGE / 2) : engine::Threads(d.facesOf(m.cells)),
                 {{"aperture", m.aperture}, {"before", m.velocity}, {"projected", m.projected}, {"correctionOut", m.correction}}, level);
}

// The coarse velocity after the projection, also at cell centres.
void recordProjectCoarse(engine::Recorder& rec, const Domain& d, const PressureSystem& s, const Flow& coarse, const gpu::Level& level) {
    rec.dispatch("project_coarse", d.pressureFaces(),
                 {{"weights", Traffic::none(s.weights)},
                  {"correction", s.correction},
                  {"regular", s.regular},
                  {"coarseIn", coarse.velocity},
                  {"coarseOut", coarse.projected},
                  {"centreOut", coarse.centre},
                  {"centreVectors", coarse.centreVectors}},
                 level);
}

float detailKept(const Settings& settings) { return std::exp(-settings.flow.detailDecay * settings.timeStep); }

}  // namespace

void recordDownsample(engine::Recorder& rec, const Domain& d, const Flow& flow, PressureSystem& s, const Settings& settings) {
    const float keep = d.grid.pressureRatio > 1 ? detailKept(settings) : 1.0f;
    if (s.middle) recordRestrictToMiddle(rec, d, s, flow.velocity);
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
    if (s.middle) {
        const gpu::Level middle{.cells = s.middle->cells, .fineCells = 2, .keep = level.keep};
        recordGradient(rec, d, s, middle, s.middle->velocity, s.middle->aperture);
        recordMiddle(rec, d, s, *s.middle, flow, middle);
    } else {
        recordGradient(rec, d, s, level, flow.velocity, d.aperture);
    }
    if (flow.coarse) recordProjectCoarse(rec, d, s, flow.coarse->flow, level);
    const engine::Buffer& correction = s.middle ? s.middle->correction : s.correction;
    recordRound(
        rec, d, flow, level,
        {.correction = correction, .velocity = flow.velocity, .aperture = d.aperture, .result = flow.projected, .blocks = s.blocks});
    recordWrapFaces(rec, d, flow.projected);
    recordFaceMargins(rec, d, flow.projected);
    recordCellMargins(rec, d, flow.centre);
}

void recordRestrictFaces(engine::Recorder& rec, const Domain& d, const PressureSystem& s, const engine::Image& fine,
                         const engine::Image& coarse, Restricted restricted) {
    const std::uint32_t ratio = d.grid.pressureRatio, edge = WISP_BRICK_EDGE / ratio;
    // Samples take two coarse cells around the end of a path, slopes one more.
    const engine::Threads faces = restricted == Restricted::All
                                      ? d.bricks->over(BrickPart::Active, edge)
                                      : d.bricks->over(BrickPart::Active, edge, 0, {{"kBorder", WISP_NEAR_PATHS + 3 * ratio}});
    rec.dispatch("restrict_faces", faces,
                 {{"weights", Traffic::none(s.weights)},
                  {"regular", s.regular},
                  {"aperture", Traffic::none(d.aperture)},
                  {"velocity", fine},
                  {"coarseOut", coarse}});
}

void recordFill(engine::Recorder& rec, const Domain& d, PressureSystem& s, const Flow& flow, const engine::Image& coarse,
                const engine::Image& fine, bool writesCentres) {
    const engine::Image* faces = &coarse;
    if (s.middle) {
        MiddleGrid& m = *s.middle;
        const gpu::Level middle{.cells = m.cells, .fineCells = 2, .keep = 0.0f};
        if (d.hasSolids()) recordRestrictToMiddle(rec, d, s, fine, borderOfFill(middle));  // only what solids cause is used
        recordRound(rec, d, flow, middle,
                    {.correction = s.correction,
                     .velocity = m.velocity,
                     .aperture = m.aperture,
                     .result = m.projected,
                     .blocks = m.blocks,
                     .coarse = faces,
                     .writesCentres = writesCentres});
        faces = &m.projected;
    }
    recordRound(rec, d, flow, {.cells = d.cells(), .fineCells = 1, .keep = 0.0f},
                {.correction = s.correction,
                 .velocity = fine,
                 .aperture = d.aperture,
                 .result = fine,
                 .blocks = s.blocks,
                 .coarse = faces,
                 .writesCentres = writesCentres});
}

}  // namespace wisp
