// SPDX-License-Identifier: MIT
#include "compute/smoke/push.h"
#include "compute/smoke/smoke_passes.h"

#include <glm/common.hpp>

namespace wisp {
namespace {

// The fine cells that may have been solid before obstacles moved: whole blocks, because fluid that is cut off in a block is closed too.
CellBox cellsThatWereSolid(const Domain& d) {
    const int block = static_cast<int>(d.grid.pressureRatio);
    const glm::ivec3 first = d.solidsBefore.first / block * block,
                     end = (d.solidsBefore.first + glm::ivec3(d.solidsBefore.size) + block - 1) / block * block;
    return {first, glm::uvec3(glm::min(end, glm::ivec3(d.cells())) - first)};
}

}  // namespace

void recordFreshCells(engine::Recorder& rec, const Domain& d, Smoke& smoke) {
    if (countOf(d.solidsBefore.size) == 0) return;
    const CellBox box = cellsThatWereSolid(d);
    const glm::uvec3 threads = box.size * d.grid.scalarRatio;
    const auto fill = [&](const engine::Image& field) {
        if (field.isZero()) return;
        const auto inBox = engine::Traffic::texels(field, countOf(threads));
        rec.dispatch("fill_fresh_cells", d.inLayers(threads),
                     {{"aperture", engine::Traffic::texels(d.aperture, countOf(box.size))},
                      {"apertureBefore", engine::Traffic::texels(d.apertureBefore, countOf(box.size))},
                      {"distanceBefore", engine::Traffic::texels(d.solidDistanceBefore, countOf(box.size))},
                      {"scalarsIn", inBox},
                      {"scalarsOut", inBox}},
                     FreshCellsPush{box.first * static_cast<int>(d.grid.scalarRatio), static_cast<int>(threads.z)});
    };
    fill(smoke.scalars[0]);
    if (smoke.hasColours()) fill(smoke.colours[0]);
}

}  // namespace wisp
