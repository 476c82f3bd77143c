// SPDX-License-Identifier: MIT
#include "compute/passes.h"

#include <cmath>
#include <utility>

namespace wisp {
namespace {

// Leaves the fine velocity in each coarse cell without divergence of its own, and the velocity at cell centres.
void recordRepair(engine::Recorder& rec, Fields& f) {
    if (f.grid.pressureRatio != 2) {
        rec.dispatch("centre_velocity", f.cells(), {{"velocity", f.velocity}, {"centreOut", f.centre}});
        return;
    }
    const glm::uvec3 blocks = f.cells() / 2u + 1u;  // those of the last faces too
    rec.dispatch("repair", blocks,
                 {{"velocityIn", f.velocity}, {"openness", f.openness}, {"velocityOut", f.scratch[0]}, {"centreOut", f.centre}});
    std::swap(f.velocity, f.scratch[0]);
}

}  // namespace

void recordProject(engine::Recorder& rec, Fields& f, const Settings& s) {
    const float keep = std::exp(-s.flow.detailDecay * s.timeStep);
    const struct {
        gpu::PressureLevel level;
        float keep;
    } push{f.pressureLevel(), keep};
    rec.dispatch("pressure_gradient", f.pressureFaces(),
                 {{"weights", f.weights}, {"pressureIn", f.pressure[0]}, {"velocity", f.velocity}, {"openness", f.openness}, {"correction", f.correction}}, push);
    rec.dispatch("project", f.faces(),
                 {{"correction", f.correction}, {"openness", f.openness}, {"velocityIn", f.velocity}, {"velocityOut", f.scratch[0]}}, keep);
    std::swap(f.velocity, f.scratch[0]);
    rec.dispatch("solid_faces", f.faces(), {{"openness", f.openness}, {"velocityIn", f.velocity}, {"velocityOut", f.velocity}});
    recordRepair(rec, f);
}

}  // namespace wisp
