// SPDX-License-Identifier: MIT
#include "compute/passes.h"
#include "shaders/shared/scroll.h"

#include <utility>

namespace wisp {

void recordScroll(engine::Recorder& rec, Fields& f, const Settings& s, glm::ivec3 cells) {
    struct PressurePush {
        gpu::PressureLevel level;
        gpu::ScrollPush scroll;
    };
    const gpu::ScrollPush fine{.shift = cells, .wind = s.flow.inflow, .gust = s.flow.gust, .gustScale = s.flow.gustScale, .seed = static_cast<int>(s.seed)};
    gpu::ScrollPush scalar = fine, coarse = fine;
    scalar.shift *= glm::ivec3(s.grid.scalarCells() / s.grid.cells);
    coarse.shift /= static_cast<int>(s.grid.pressureRatio);
    rec.dispatch("scroll_faces", f.faces(), {{"velocityIn", f.velocity}, {"velocityOut", f.scratch[0]}}, fine);
    rec.dispatch("scroll_vectors", f.cells(), {{"before", f.centreVectors}, {"after", f.back}}, fine);
    rec.dispatch("scroll_pressure", f.pressureCells(), {{"pressureIn", f.pressure[0]}, {"pressureOut", f.rhs}}, PressurePush{f.pressureLevel(), coarse});
    rec.dispatch("scroll_scalars", f.scalarCells(), {{"scalarsIn", f.scalars[0]}, {"scalarsOut", f.scalars[1]}}, scalar);
    if (f.hasColours()) rec.dispatch("scroll_scalars", f.scalarCells(), {{"scalarsIn", f.colours[0]}, {"scalarsOut", f.colours[1]}}, scalar);
    std::swap(f.velocity, f.scratch[0]);
    std::swap(f.centreVectors, f.back);
    std::swap(f.pressure[0], f.rhs);
    std::swap(f.scalars[0], f.scalars[1]);
    if (f.hasColours()) std::swap(f.colours[0], f.colours[1]);
    f.stepped = false;
}

}  // namespace wisp
