// SPDX-License-Identifier: MIT
#include "compute/passes.h"

#include <glm/vec4.hpp>

#include <cmath>
#include <utility>

namespace wisp {
namespace {

struct VelocityCorrection {
    float keep;
    int clamped;
};

struct ScalarCorrection {
    glm::vec4 keep;
    int clamped;
};

// u moves along itself: scratch[1] gets the result and changes places with the projected velocity.
void recordAdvectVelocity(engine::Recorder& rec, Fields& f, const Settings& s) {
    const float keep = std::exp(-s.flow.velocityDecay * s.timeStep);
    if (s.advection.scheme == AdvectionScheme::SemiLagrangian) {
        rec.dispatch("advect_velocity", f.faces(), {{"velocity", f.velocity}, {"back", f.back}, {"velocityOut", f.scratch[1]}}, keep);
        return;
    }
    rec.dispatch("advect_velocity", f.faces(), {{"velocity", f.velocity}, {"back", f.back}, {"velocityOut", f.scratch[0]}}, 1.0f);
    rec.dispatch("advect_velocity_correct", f.faces(),
                 {{"velocity", f.velocity}, {"back", f.back}, {"ahead", f.ahead}, {"openness", f.openness}, {"forward", f.scratch[0]}, {"velocityOut", f.scratch[1]}},
                 VelocityCorrection{keep, s.advection.scheme == AdvectionScheme::MacCormack});
}

void recordAdvectScalars(engine::Recorder& rec, Fields& f, const Settings& s) {
    const glm::vec4 keep(std::exp(-s.flow.densityDecay * s.timeStep), 1.0f, 1.0f, 1.0f);
    const bool once = s.advection.scheme == AdvectionScheme::SemiLagrangian;
    rec.dispatch("advect_scalars", f.scalarCells(),
                 {{"back", f.back}, {"openness", f.openness}, {"opennessBefore", f.opennessAtStart()}, {"scalarsIn", f.scalars[0]},
                  {"scalarsOut", f.scalars[once ? 2 : 1]}},
                 once ? keep : glm::vec4(1.0f));
    if (!once) {
        rec.dispatch("advect_scalars_correct", f.scalarCells(),
                     {{"back", f.back}, {"ahead", f.ahead}, {"openness", f.openness}, {"scalarsIn", f.scalars[0]}, {"forward", f.scalars[1]},
                      {"scalarsOut", f.scalars[2]}},
                     ScalarCorrection{keep, s.advection.scheme == AdvectionScheme::MacCormack});
    }
    std::swap(f.scalars[0], f.scalars[2]);
}

}  // namespace

void recordAdvect(engine::Recorder& rec, Fields& f, const Settings& s) {
    rec.dispatch("trace", f.cells(), {{"centre", f.centre}, {"distanceBefore", f.distanceAtStart()}, {"backOut", f.back}, {"aheadOut", f.ahead}});
    recordAdvectVelocity(rec, f, s);
    recordAdvectScalars(rec, f, s);
    std::swap(f.velocity, f.scratch[1]);
    f.stepped = true;
}

}  // namespace wisp
