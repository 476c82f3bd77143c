// SPDX-License-Identifier: MIT
#include "compute/smoke/passes.h"
#include "shaders/shared/level.h"

#include <cassert>
#include <utility>

namespace wisp {

namespace {

gpu::Level fineLevel(const Fields& f) { return {.cells = f.cells(), .fineCells = 1, .keep = 1.0f, .first = {}}; }
gpu::Level middleLevel(const Fields& f) { return {.cells = (f.cells() + 1u) / 2u, .fineCells = 2, .keep = 1.0f, .first = {}}; }

void recordMiddleOpenness(engine::Recorder& rec, Fields& f) {
    rec.dispatch("restrict_openness", f.facesOf(f.middle->cells), {{"openness", f.openness}, {"coarseOut", f.middle->openness}},
                 fineLevel(f));
}

// Closes what obstacles cut off within the blocks of a level; `openness` is that level's.
void recordClosePieces(engine::Recorder& rec, Fields& f, const gpu::Level& level, const engine::Image& openness,
                       const BlockFields& blocks) {
    const engine::Buffer& closed = blocks.smoothFaces;  // free until smooth_faces
    rec.dispatch("small_pieces", f.blocksOf(level.cells), {{"openness", openness}, {"closedOut", closed}}, level);
    rec.dispatch("close_pieces", f.faceTexels(), {{"closed", closed}, {"opennessIn", f.openness}, {"opennessOut", f.openness}}, level);
}

}  // namespace

void recordOpenness(engine::Recorder& rec, Fields& f) {
    rec.dispatch("obstacles", f.faceTexels(),
                 {{"openness", f.openness}, {"solidVelocityOut", f.solidVelocity}, {"distanceOut", f.solidDistance}});
    recordWrapFaces(rec, f, f.openness);
    recordWrapFaces(rec, f, f.solidVelocity);
    const gpu::Level fine = fineLevel(f);
    if (f.grid.pressureRatio == 1 || f.solids.size == glm::uvec3(0)) return;
    recordClosePieces(rec, f, fine, f.openness, f.blocks);
    if (f.middle) {
        recordMiddleOpenness(rec, f);
        recordClosePieces(rec, f, middleLevel(f), f.middle->openness, f.middle->blocks);
        recordClosePieces(rec, f, fine, f.openness, f.blocks);  // fluid that opened only to what was closed just now
    }
    rec.dispatch("widen_gaps", f.cells(), {{"opennessIn", f.openness}, {"opennessOut", f.openness}}, fine);
    recordWrapFaces(rec, f, f.openness);
}

void recordCoarseOpenness(engine::Recorder& rec, Fields& f) {
    rec.dispatch("coarse_openness", f.pressureFaces(), {{"openness", f.openness}, {"weightsOut", f.weights}, {"regularOut", f.regular}},
                 f.pressureLevel());
    recordPyramidWeights(rec, f);
    if (f.grid.pressureRatio == 1) return;
    const auto recordOpenFaces = [&](const gpu::Level& level, const engine::Image& openness, const BlockFields& blocks) {
        const glm::uvec3 threads = f.blocksOf(level.cells);
        rec.dispatch("open_faces", threads, {{"openness", openness}, {"openFacesOut", blocks.openFaces}}, level);
        rec.dispatch("smooth_faces", threads, {{"openFaces", blocks.openFaces}, {"smoothFacesOut", blocks.smoothFaces}}, level);
    };
    recordOpenFaces(fineLevel(f), f.openness, f.blocks);
    if (!f.middle) return;
    recordMiddleOpenness(rec, f);
    recordOpenFaces(middleLevel(f), f.middle->openness, f.middle->blocks);
}

void recordMovedObstacles(engine::Recorder& rec, Fields& f) {
    assert(f.opennessBefore);
    std::swap(f.openness, f.opennessBefore);
    std::swap(f.solidDistance, f.solidDistanceBefore);
    recordOpenness(rec, f);
    const auto recordUncover = [&](const engine::Image& field) {
        if (field.isZero()) return;
        rec.dispatch("uncover", f.scalarCells(),
                     {{"openness", f.openness},
                      {"opennessBefore", f.opennessBefore},
                      {"distanceBefore", f.solidDistanceBefore},
                      {"scalarsIn", field},
                      {"scalarsOut", field}});
    };
    recordUncover(f.scalars[0]);
    if (f.hasColours()) recordUncover(f.colours[0]);
}

}  // namespace wisp
