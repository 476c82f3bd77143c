// SPDX-License-Identifier: MIT
#include "compute/smoke/passes.h"

#include "compute/smoke/push.h"

#include <glm/geometric.hpp>

#include <utility>

namespace wisp {
namespace {

void recordViscosity(engine::Recorder& rec, Fields& f, const Settings& s) {
    if (s.flow.viscosity == 0.0f) return;
    const float h = s.grid.cellSize(), amount = s.flow.viscosity * s.timeStep / (h * h);
    if (s.flow.viscositySweeps == 0)
        rec.dispatch("diffuse", f.faces(), {{"velocityIn", f.velocity}, {"velocityOut", f.scratch[0]}}, amount);
    for (std::uint32_t n = 0; n < s.flow.viscositySweeps; ++n) {
        rec.dispatch("diffuse_sweep", f.faces(),
                     {{"velocityBefore", f.velocity}, {"velocityIn", n == 0 ? f.velocity : f.scratch[0]}, {"velocityOut", f.scratch[1]}},
                     amount);
        std::swap(f.scratch[0], f.scratch[1]);
    }
    std::swap(f.velocity, f.scratch[0]);
}

// Puts back the small swirls that advection damps, and lets hot smoke rise (Fedkiw, Stam, Jensen 2001).
void recordAcceleration(engine::Recorder& rec, Fields& f, const Settings& s) {
    const float g = glm::length(s.flow.gravity);
    const bool buoyant = g > 0.0f && (s.flow.buoyancy != 0.0f || s.flow.weight != 0.0f);
    if (s.flow.vorticity == 0.0f && !buoyant) return;
    const ForcesPush push{buoyant ? s.flow.gravity / g : glm::vec3(0.0f), buoyant ? s.flow.buoyancy : 0.0f, buoyant ? s.flow.weight : 0.0f,
                          s.flow.vorticity};
    engine::Buffer &curl = f.back, &acceleration = f.ahead;
    if (s.flow.vorticity > 0.0f) rec.dispatch("vorticity_curl", f.cells(), {{"centre", f.centreVectors}, {"curl", curl}});
    rec.dispatch("forces", f.cells(), {{"curl", curl}, {"scalars", f.scalars[0]}, {"acceleration", acceleration}}, push);
    rec.dispatch("accelerate", f.faces(), {{"acceleration", acceleration}, {"velocityIn", f.velocity}, {"velocityOut", f.velocity}});
}

}  // namespace

void recordForces(engine::Recorder& rec, Fields& f, const Settings& s) {
    recordViscosity(rec, f, s);
    recordAcceleration(rec, f, s);
    recordWrapFaces(rec, f, f.velocity);  // after advection and emitters too, which leave it to this
}

}  // namespace wisp
