// SPDX-License-Identifier: MIT
#include "compute/pressure/multigrid.h"
#include "compute/pressure/pressure.h"
#include "compute/pressure/push.h"

#include <algorithm>
#include <span>
#include <vector>

namespace wisp {
namespace {

using engine::Traffic;

// The passes here run over Domain::rewritten. Beyond it they would write what is already there, because no aperture has changed.

gpu::Level over(gpu::Level level, const CellBox& box) {
    level.first = box.first;
    level.size = box.size;
    return level;
}

/// Threads of a pass over a box, and the level with this box. At the start of a sparse simulation, the box is everything that is stored.
struct Over {
    engine::Threads threads;
    gpu::Level level;
};

Over overBox(const Domain& d, const gpu::Level& level, const CellBox& box, int edge) {
    const bool isStored = edge < static_cast<int>(d.grid.pressureRatio);  // in slots
    if (!d.bricks || !d.rewritesAll() || !isStored) return {box.size, over(level, box)};
    return {d.bricks->over(BrickPart::Listed, WISP_BRICK_EDGE / static_cast<std::uint32_t>(edge)), over(level, {glm::ivec3(0), box.size})};
}

CellBox rewrittenBlocks(const Domain& d, const gpu::Level& level) {
    return d.rewrittenBlocks(2 * level.fineCells, d.blocksOf(level.cells));
}
Over overBlocks(const Domain& d, const gpu::Level& level) { return overBox(d, level, rewrittenBlocks(d, level), 2 * level.fineCells); }

// The apertures of 2x2x2 cells per block, and a word per block.
auto cellsOfBlocks(const engine::Image& aperture, const CellBox& blocks) { return Traffic::texels(aperture, 8 * countOf(blocks.size)); }
auto wordsOf(const engine::Buffer& words, const CellBox& blocks) {
    return Traffic::bytes(words, countOf(blocks.size) * sizeof(std::uint32_t));
}

void recordMiddleAperture(engine::Recorder& rec, const Domain& d, PressureSystem& s) {
    const CellBox box = rewrittenBlocks(d, s.fineLevel());
    const Over all = overBlocks(d, s.fineLevel());
    rec.dispatch("restrict_aperture", all.threads,
                 {{"aperture", cellsOfBlocks(d.aperture, box)}, {"coarseOut", Traffic::texels(s.middle->aperture, countOf(box.size))}},
                 all.level);
}

// Closes fluid that obstacles cut off within the blocks of a level. `aperture`: face apertures of that level.
void closePieces(engine::Recorder& rec, const Domain& d, const gpu::Level& level, const engine::Image& aperture, const Blocks& blocks) {
    const CellBox box = rewrittenBlocks(d, level), texels = d.rewrittenTexels();
    const auto closed = wordsOf(blocks.smoothFaces, box);  // recordCoarseAperture overwrites it afterwards
    const auto inBox = Traffic::texels(d.aperture, countOf(texels.size));
    const Over small = overBlocks(d, level), close = overBox(d, level, texels, 1);
    rec.dispatch("small_pieces", small.threads, {{"aperture", cellsOfBlocks(aperture, box)}, {"closedOut", closed}}, small.level);
    rec.dispatch("close_pieces", close.threads,
                 {{"closed", closed},
                  {"apertureIn", inBox},
                  {"apertureOut", inBox},
                  {"solidVelocityIn", d.solidVelocity},
                  {"solidVelocityOut", Traffic::none(d.solidVelocity)}},
                 close.level);
}

// Widens gaps within the blocks of a level.
void widenGaps(engine::Recorder& rec, const Domain& d, const gpu::Level& level, const engine::Image& aperture) {
    const auto inBox = Traffic::texels(d.aperture, countOf(d.rewritten.size));
    const Over widen = overBox(d, level, d.rewritten, 1);
    rec.dispatch("widen_gaps", widen.threads,
                 {{"aperture", cellsOfBlocks(aperture, rewrittenBlocks(d, level))}, {"apertureIn", inBox}, {"apertureOut", inBox}},
                 widen.level);
}

// Weights of the pressure grid, in whole rows along x, which have another order in memory.
void recordWeights(engine::Recorder& rec, const Domain& d, PressureSystem& s) {
    const gpu::PressureLevel level = d.pressureLevel();
    CellBox box = d.rewrittenBlocks(static_cast<int>(d.grid.pressureRatio), d.pressureFaces());
    box.first.x = 0;
    box.size.x = d.pressureFaces().x;
    const std::uint64_t texels = countOf(box.size), ratio = d.grid.pressureRatio,
                        words = std::uint64_t{box.size.y} * box.size.z * static_cast<std::uint64_t>(gpu::regularWords(level));
    rec.dispatch("coarse_aperture", box.size,
                 {{"aperture", Traffic::texels(d.aperture, texels * ratio * ratio * ratio)},
                  {"weightsOut", Traffic::bytes(s.weights, texels * 4 * sizeof(float))},
                  {"regularOut", Traffic::bytes(s.regular, words * sizeof(std::uint32_t))}},
                 CoarseAperturePush{level, {box.first.y, box.first.z}});
}

void recordOpenFaces(engine::Recorder& rec, const Domain& d, const gpu::Level& level, const engine::Image& aperture, const Blocks& blocks) {
    const CellBox box = rewrittenBlocks(d, level);
    const auto open = wordsOf(blocks.openFaces, box);
    const Over all = overBlocks(d, level);
    rec.dispatch("open_faces", all.threads, {{"aperture", cellsOfBlocks(aperture, box)}, {"openFacesOut", open}}, all.level);
    rec.dispatch("smooth_faces", all.threads, {{"openFaces", open}, {"smoothFacesOut", wordsOf(blocks.smoothFaces, box)}}, all.level);
}

}  // namespace

void recordClosePieces(engine::Recorder& rec, Domain& d, PressureSystem& s) {
    if (d.grid.pressureRatio == 1 || !d.hasSolids()) return;
    closePieces(rec, d, s.fineLevel(), d.aperture, s.blocks);
    if (s.middle) {
        recordMiddleAperture(rec, d, s);
        closePieces(rec, d, s.middleLevel(), s.middle->aperture, s.middle->blocks);
        closePieces(rec, d, s.fineLevel(), d.aperture, s.blocks);  // fluid whose only opening has just been closed
        recordMiddleAperture(rec, d, s);
        widenGaps(rec, d, s.middleLevel(), s.middle->aperture);
    }
    widenGaps(rec, d, s.fineLevel(), d.aperture);
    recordWrapFaces(rec, d, d.aperture);
    recordWrapFaces(rec, d, d.solidVelocity);
}

void recordCoarseAperture(engine::Recorder& rec, const Domain& d, PressureSystem& s) {
    recordWeights(rec, d, s);
    recordPyramidWeights(rec, s);
    if (d.grid.pressureRatio == 1) return;
    recordOpenFaces(rec, d, s.fineLevel(), d.aperture, s.blocks);
    if (!s.middle) return;
    recordMiddleAperture(rec, d, s);
    recordOpenFaces(rec, d, s.middleLevel(), s.middle->aperture, s.middle->blocks);
}

void recordApertureOfFilled(engine::Recorder& rec, const Domain& d, const PressureSystem& s) {
    recordObstaclesOfFilled(rec, d);
    if (!s.middle) return;  // the blocks of the fine grid are pressure cells, which are all stored
    const engine::Threads blocks = d.bricks->over(BrickPart::Fill, WISP_BRICK_EDGE / 2);
    const gpu::Level level = over(s.fineLevel(), {glm::ivec3(0), d.blocksOf(d.cells())});
    rec.dispatch("restrict_aperture", blocks, {{"aperture", d.aperture}, {"coarseOut", s.middle->aperture}}, level);
    rec.dispatch("open_faces", blocks, {{"aperture", d.aperture}, {"openFacesOut", s.blocks.openFaces}}, level);
    rec.dispatch("smooth_faces", blocks, {{"openFaces", s.blocks.openFaces}, {"smoothFacesOut", s.blocks.smoothFaces}}, level);
}

void recordBlankApertures(engine::Recorder& rec, const Domain& d, const PressureSystem& s) {
    // Samplers read texels beside a slot with a weight of 0, so there must be numbers everywhere. The outermost faces of the halo get
    // values from bricks that are not in the list, too.
    rec.clear(d.solidVelocity, 0.0f);
    for (const engine::Image& changes : s.blocks.changes) rec.clear(changes, 0.0f);
    if (s.middle) {
        for (const engine::Image& changes : s.middle->blocks.changes) rec.clear(changes, 0.0f);
        for (const engine::Image* velocity : {&s.middle->velocity, &s.middle->projected}) rec.clear(*velocity, 0.0f);
        rec.clear(s.middle->correction, 0);
    }
    for (const engine::Image* distance : {&d.solidDistance, &d.solidDistanceBefore})
        if (*distance) rec.clear(*distance, WISP_FAR_CELLS);
    recordBlankSlots(rec, d.aperture, d.solidDistance, WISP_BRICK_EDGE + 1);
    if (d.apertureBefore) recordBlankSlots(rec, d.apertureBefore, d.solidDistanceBefore, WISP_BRICK_EDGE + 1);
    if (!s.middle) return;
    constexpr std::uint32_t edge = WISP_BRICK_EDGE / 2;
    recordBlankSlots(rec, s.middle->aperture, d.solidDistance, edge);
    std::vector<std::uint32_t> words(std::size_t{2} * edge * edge * edge, 0);
    std::fill_n(words.begin(), words.size() / 2, 15u);  // bits of open_faces.comp and smooth_faces.comp in the slot of open fluid
    for (const engine::Buffer* faces : {&s.blocks.openFaces, &s.blocks.smoothFaces}) rec.update(*faces, std::as_bytes(std::span(words)));
}

}  // namespace wisp
