// SPDX-License-Identifier: MIT
#include "compute/scene/outside_air.h"
#include "compute/smoke/passes.h"

#include <array>
#include <utility>

namespace wisp {

namespace {

struct FacesPush {
    glm::ivec3 shift;
    gpu::OutsideAir air;
};
WISP_MEMBERS(FacesPush, shift, air)

struct VectorsPush {
    glm::ivec3 shift;
    glm::vec3 wind;
};
WISP_MEMBERS(VectorsPush, shift, wind)

struct PressurePush {
    gpu::PressureLevel level;
    glm::ivec3 shift;
};
WISP_MEMBERS(PressurePush, level, shift)

}  // namespace

void recordOutsideAir(engine::Recorder& rec, Fields& f, const Settings& s, double time) {
    rec.dispatch("scroll_faces", f.faces(), {{"velocityIn", f.scratch[0]}, {"velocityOut", f.velocity}},
                 FacesPush{glm::ivec3(f.faceTexels()), outsideAir(s, time)});
}

void recordScroll(engine::Recorder& rec, Fields& f, const Settings& s, glm::ivec3 cells, double time) {
    const gpu::OutsideAir air = outsideAir(s, time);
    const glm::ivec3 scalarCells = cells * glm::ivec3(s.grid.scalarCells() / s.grid.cells),
                     pressureCells = cells / static_cast<int>(s.grid.pressureRatio);
    rec.dispatch("scroll_faces", f.faces(), {{"velocityIn", f.velocity}, {"velocityOut", f.scratch[0]}}, FacesPush{cells, air});
    rec.dispatch("scroll_vectors", f.cells(), {{"before", f.centreVectors}, {"after", f.back}}, VectorsPush{cells, air.wind});
    rec.dispatch("scroll_pressure", f.pressureCells(), {{"pressureIn", f.pressure[0]}, {"pressureOut", f.rhs}},
                 PressurePush{f.pressureLevel(), pressureCells});
    for (std::array<engine::Image, 3>* field : {&f.scalars, &f.colours}) {
        if (!(*field)[0] || (*field)[0].isZero()) continue;
        rec.dispatch("scroll_scalars", f.scalarCells(), {{"scalarsIn", (*field)[0]}, {"scalarsOut", (*field)[1]}}, scalarCells);
        std::swap((*field)[0], (*field)[1]);
    }
    std::swap(f.velocity, f.scratch[0]);
    std::swap(f.centreVectors, f.back);
    std::swap(f.pressure[0], f.rhs);
    f.stepped = false;
}

}  // namespace wisp
