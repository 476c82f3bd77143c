// SPDX-License-Identifier: MIT
#include "compute/pressure/multigrid.h"
#include "compute/pressure/pressure.h"

namespace wisp {
namespace {

void recordMiddleOpenness(engine::Recorder& rec, const Domain& d, PressureSystem& s) {
    rec.dispatch("restrict_openness", d.facesOf(s.middle->cells), {{"openness", d.openness}, {"coarseOut", s.middle->openness}},
                 s.fineLevel());
}

// Closes fluid that obstacles cut off within the blocks of a level. `openness`: face apertures of that level.
void closePieces(engine::Recorder& rec, const Domain& d, const gpu::Level& level, const engine::Image& openness, const Blocks& blocks) {
    const engine::Buffer& closed = blocks.smoothFaces;  // recordCoarseOpenness overwrites it afterwards
    rec.dispatch("small_pieces", d.blocksOf(level.cells), {{"openness", openness}, {"closedOut", closed}}, level);
    rec.dispatch("close_pieces", d.faceTexels(), {{"closed", closed}, {"opennessIn", d.openness}, {"opennessOut", d.openness}}, level);
}

}  // namespace

void recordClosePieces(engine::Recorder& rec, Domain& d, PressureSystem& s) {
    if (d.grid.pressureRatio == 1 || !d.hasSolids()) return;
    closePieces(rec, d, s.fineLevel(), d.openness, s.blocks);
    if (s.middle) {
        recordMiddleOpenness(rec, d, s);
        closePieces(rec, d, s.middleLevel(), s.middle->openness, s.middle->blocks);
        closePieces(rec, d, s.fineLevel(), d.openness, s.blocks);  // fluid whose only opening has just been closed
    }
    rec.dispatch("widen_gaps", d.cells(), {{"opennessIn", d.openness}, {"opennessOut", d.openness}}, s.fineLevel());
    recordWrapFaces(rec, d, d.openness);
}

void recordCoarseOpenness(engine::Recorder& rec, const Domain& d, PressureSystem& s) {
    rec.dispatch("coarse_openness", d.pressureFaces(), {{"openness", d.openness}, {"weightsOut", s.weights}, {"regularOut", s.regular}},
                 d.pressureLevel());
    recordPyramidWeights(rec, s);
    if (d.grid.pressureRatio == 1) return;
    const auto recordOpenFaces = [&](const gpu::Level& level, const engine::Image& openness, const Blocks& blocks) {
        const glm::uvec3 threads = d.blocksOf(level.cells);
        rec.dispatch("open_faces", threads, {{"openness", openness}, {"openFacesOut", blocks.openFaces}}, level);
        rec.dispatch("smooth_faces", threads, {{"openFaces", blocks.openFaces}, {"smoothFacesOut", blocks.smoothFaces}}, level);
    };
    recordOpenFaces(s.fineLevel(), d.openness, s.blocks);
    if (!s.middle) return;
    recordMiddleOpenness(rec, d, s);
    recordOpenFaces(s.middleLevel(), s.middle->openness, s.middle->blocks);
}

}  // namespace wisp
