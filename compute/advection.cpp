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

// What is left of a field after the step's decay.
float velocityKept(const Settings& s) { return std::exp(-s.flow.velocityDecay * s.timeStep); }
glm::vec4 scalarsKept(const Settings& s) { return {std::exp(-s.flow.densityDecay * s.timeStep), 1.0f, 1.0f, 1.0f}; }

// First order, into `velocity` and `scalars`.
void recordForward(engine::Recorder& rec, Fields& f, const engine::Image& velocity, const engine::Image& scalars, float keepVelocity, glm::vec4 keepScalars) {
    rec.dispatch("advect_velocity", f.faces(), {{"velocity", f.velocity}, {"back", f.back}, {"velocityOut", velocity}}, keepVelocity);
    recordWrapFaces(rec, f, velocity);
    rec.dispatch("advect_scalars", f.scalarCells(),
                 {{"back", f.back}, {"openness", f.openness}, {"opennessBefore", f.opennessAtStart()}, {"scalarsIn", f.scalars[0]},
                  {"scalarsOut", scalars}}, keepScalars);
}

// Second order, from scratch[0] and scalars[1] that the first pass left.
void recordCorrection(engine::Recorder& rec, Fields& f, const Settings& s) {
    const int clamped = s.advection.scheme == AdvectionScheme::MacCormack;
    rec.dispatch("advect_velocity_correct", f.faces(),
                 {{"velocity", f.velocity}, {"back", f.back}, {"ahead", f.ahead}, {"openness", f.openness}, {"forward", f.scratch[0]}, {"velocityOut", f.scratch[1]}},
                 VelocityCorrection{velocityKept(s), clamped});
    rec.dispatch("advect_scalars_correct", f.scalarCells(),
                 {{"back", f.back}, {"ahead", f.ahead}, {"openness", f.openness}, {"scalarsIn", f.scalars[0]}, {"forward", f.scalars[1]},
                  {"scalarsOut", f.scalars[2]}},
                 ScalarCorrection{scalarsKept(s), clamped});
}

}  // namespace

void recordAdvect(engine::Recorder& rec, Fields& f, const Settings& s) {
    rec.dispatch("trace", f.cells(), {{"centre", f.centre}, {"distanceBefore", f.distanceAtStart()}, {"backOut", f.back}, {"aheadOut", f.ahead}});
    // u moves along itself, and the scalars beside it: neither waits for the other.
    if (s.advection.scheme == AdvectionScheme::SemiLagrangian) {
        recordForward(rec, f, f.scratch[1], f.scalars[2], velocityKept(s), scalarsKept(s));
    } else {
        recordForward(rec, f, f.scratch[0], f.scalars[1], 1.0f, glm::vec4(1.0f));
        recordCorrection(rec, f, s);
    }
    std::swap(f.velocity, f.scratch[1]);
    std::swap(f.scalars[0], f.scalars[2]);
    f.stepped = true;
}

}  // namespace wisp
