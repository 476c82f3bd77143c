// SPDX-License-Identifier: MIT
#include "compute/sim/scroll.h"

#include "compute/domain/scroll_push.h"
#include "compute/scene/ambient_flow.h"

#include <array>
#include <utility>

namespace wisp {
namespace {

struct ScrollVectorsPush {
    glm::ivec3 shift;
    glm::vec3 wind;
};
WISP_MEMBERS(ScrollVectorsPush, shift, wind)

struct ScrollPressurePush {
    gpu::PressureLevel level;
    glm::ivec3 shift;
};
WISP_MEMBERS(ScrollPressurePush, level, shift)

}  // namespace

void recordScroll(engine::Recorder& rec, const Domain& d, Flow& flow, PressureSystem& p, Smoke& smoke, const Settings& s, glm::ivec3 cells,
                  double time) {
    const gpu::AmbientFlow air = ambientFlow(s, time);
    const glm::ivec3 scalarCells = cells * glm::ivec3(s.grid.scalarCells() / s.grid.cells),
                     pressureCells = cells / static_cast<int>(s.grid.pressureRatio);
    // Each pass writes to another field of the same format, which the step overwrites later.
    rec.dispatch("scroll_faces", d.faces(), {{"velocityIn", flow.velocity}, {"velocityOut", flow.scratch}}, ScrollFacesPush{cells, air});
    rec.dispatch("scroll_vectors", d.cells(), {{"before", flow.centreVectors}, {"after", flow.back}}, ScrollVectorsPush{cells, air.wind});
    rec.dispatch("scroll_pressure", d.pressureCells(), {{"pressureIn", p.pressure[0]}, {"pressureOut", p.rhs}},
                 ScrollPressurePush{d.pressureLevel(), pressureCells});
    for (std::array<engine::Image, 3>* field : {&smoke.scalars, &smoke.colours}) {
        if (!(*field)[0] || (*field)[0].isZero()) continue;
        rec.dispatch("scroll_scalars", d.scalarCells(), {{"scalarsIn", (*field)[0]}, {"scalarsOut", (*field)[1]}}, scalarCells);
        std::swap((*field)[0], (*field)[1]);
    }
    std::swap(flow.velocity, flow.scratch);
    std::swap(flow.centreVectors, flow.back);
    std::swap(p.pressure[0], p.rhs);
    flow.isProjected = false;
}

}  // namespace wisp
