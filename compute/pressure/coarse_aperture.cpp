// SPDX-License-Identifier: MIT
#include "compute/pressure/multigrid.h"
#include "compute/pressure/pressure.h"

namespace wisp {
namespace {

void recordMiddleAperture(engine::Recorder& rec, const Domain& d, PressureSystem& s) {
    rec.dispatch("restrict_aperture", d.facesOf(s.middle->cells), {{"aperture", d.aperture}, {"coarseOut", s.middle->aperture}},
                 s.fineLevel());
}

// Closes fluid that obstacles cut off within the blocks of a level. `aperture`: face apertures of that level.
void closePieces(engine::Recorder& rec, const Domain& d, const gpu::Level& level, const engine::Image& aperture, const Blocks& blocks) {
    const engine::Buffer& closed = blocks.smoothFaces;  // recordCoarseAperture overwrites it afterwards
    rec.dispatch("small_pieces", d.blocksOf(level.cells), {{"aperture", aperture}, {"closedOut", closed}}, level);
    rec.dispatch("close_pieces", d.faceTexels(), {{"closed", closed}, {"apertureIn", d.aperture}, {"apertureOut", d.aperture}}, level);
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
    rec.dispatch("widen_gaps", d.cells(), {{"apertureIn", d.aperture}, {"apertureOut", d.aperture}}, s.fineLevel());
    recordWrapFaces(rec, d, d.aperture);
}

void recordCoarseAperture(engine::Recorder& rec, const Domain& d, PressureSystem& s) {
    rec.dispatch("coarse_aperture", d.pressureFaces(), {{"aperture", d.aperture}, {"weightsOut", s.weights}, {"regularOut", s.regular}},
                 d.pressureLevel());
    recordPyramidWeights(rec, s);
    if (d.grid.pressureRatio == 1) return;
    const auto recordOpenFaces = [&](const gpu::Level& level, const engine::Image& aperture, const Blocks& blocks) {
        const glm::uvec3 threads = d.blocksOf(level.cells);
        rec.dispatch("open_faces", threads, {{"aperture", aperture}, {"openFacesOut", blocks.openFaces}}, level);
        rec.dispatch("smooth_faces", threads, {{"openFaces", blocks.openFaces}, {"smoothFacesOut", blocks.smoothFaces}}, level);
    };
    recordOpenFaces(s.fineLevel(), d.aperture, s.blocks);
    if (!s.middle) return;
    recordMiddleAperture(rec, d, s);
    recordOpenFaces(s.middleLevel(), s.middle->aperture, s.middle->blocks);
}

}  // namespace wisp
