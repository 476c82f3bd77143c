// SPDX-License-Identifier: MIT
#include "compute/pressure/multigrid.h"
#include "compute/pressure/pressure.h"
#include "compute/pressure/push.h"

namespace wisp {
namespace {

using engine::Traffic;

// The passes here run over Domain::rewritten. Beyond it they would write what is already there, because no aperture has changed.

gpu::Level over(gpu::Level level, const CellBox& box) {
    level.first = box.first;
    level.size = box.size;
    return level;
}

CellBox rewrittenBlocks(const Domain& d, const gpu::Level& level) {
    return d.rewrittenBlocks(2 * level.fineCells, d.blocksOf(level.cells));
}

// The apertures of 2x2x2 cells per block, and a word per block.
auto cellsOfBlocks(const engine::Image& aperture, const CellBox& blocks) { return Traffic::texels(aperture, 8 * countOf(blocks.size)); }
auto wordsOf(const engine::Buffer& words, const CellBox& blocks) {
    return Traffic::bytes(words, countOf(blocks.size) * sizeof(std::uint32_t));
}

void recordMiddleAperture(engine::Recorder& rec, const Domain& d, PressureSystem& s) {
    const CellBox box = rewrittenBlocks(d, s.fineLevel());
    rec.dispatch("restrict_aperture", box.size,
                 {{"aperture", cellsOfBlocks(d.aperture, box)}, {"coarseOut", Traffic::texels(s.middle->aperture, countOf(box.size))}},
                 over(s.fineLevel(), box));
}

// Closes fluid that obstacles cut off within the blocks of a level. `aperture`: face apertures of that level.
void closePieces(engine::Recorder& rec, const Domain& d, const gpu::Level& level, const engine::Image& aperture, const Blocks& blocks) {
    const CellBox box = rewrittenBlocks(d, level), texels = d.rewrittenTexels();
    const auto closed = wordsOf(blocks.smoothFaces, box);  // recordCoarseAperture overwrites it afterwards
    const auto inBox = Traffic::texels(d.aperture, countOf(texels.size));
    rec.dispatch("small_pieces", box.size, {{"aperture", cellsOfBlocks(aperture, box)}, {"closedOut", closed}}, over(level, box));
    rec.dispatch("close_pieces", texels.size, {{"closed", closed}, {"apertureIn", inBox}, {"apertureOut", inBox}}, over(level, texels));
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
    rec.dispatch("open_faces", box.size, {{"aperture", cellsOfBlocks(aperture, box)}, {"openFacesOut", open}}, over(level, box));
    rec.dispatch("smooth_faces", box.size, {{"openFaces", open}, {"smoothFacesOut", wordsOf(blocks.smoothFaces, box)}}, over(level, box));
}

}  // namespace

void recordClosePieces(engine::Recorder& rec, Domain& d, PressureSystem& s) {
    if (d.grid.pressureRatio == 1 || !d.hasSolids()) return;
    closePieces(rec, d, s.fineLevel(), d.aperture, s.blocks);
    if (s.middle) {
        recordMiddleAperture(rec, d, s);
        closePieces(rec, d, s.middleLevel(), s.middle->aperture, s.middle->blocks);
        closePieces(rec, d, s.fineLevel(), d.aperture, s.blocks);  // fluid whose only opening has just been closed
    }
    const auto inBox = Traffic::texels(d.aperture, countOf(d.rewritten.size));
    rec.dispatch("widen_gaps", d.rewritten.size, {{"apertureIn", inBox}, {"apertureOut", inBox}}, over(s.fineLevel(), d.rewritten));
    recordWrapFaces(rec, d, d.aperture);
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

}  // namespace wisp
