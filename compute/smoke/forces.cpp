// SPDX-License-Identifier: MIT
#include "compute/smoke/smoke_passes.h"

#include "compute/smoke/push.h"

#include <glm/geometric.hpp>

#include <utility>

namespace wisp {
namespace {

void recordViscosity(engine::Recorder& rec, const Domain& d, Flow& flow, const Settings& s) {
    if (s.flow.viscosity == 0.0f) return;
    const float h = s.grid.cellSize(), amount = s.flow.viscosity * s.timeStep / (h * h);
    if (s.flow.viscositySweeps == 0)
        rec.dispatch("diffuse", d.faces(), {{"velocityIn", flow.velocity}, {"velocityOut", flow.scratch}}, amount);
    for (std::uint32_t n = 0; n < s.flow.viscositySweeps; ++n) {  // ping-pong: `projected` is free until the projection
        rec.dispatch(
            "diffuse_sweep", d.faces(),
            {{"velocityBefore", flow.velocity}, {"velocityIn", n == 0 ? flow.velocity : flow.scratch}, {"velocityOut", flow.projected}},
            amount);
        std::swap(flow.scratch, flow.projected);
    }
    std::swap(flow.velocity, flow.scratch);
}

// Vorticity confinement, which restores small eddies that advection damps, and buoyancy (Fedkiw, Stam, Jensen 2001). Also brings the
// divergence of gas that is heated to the velocity, for the projection.
bool recordAcceleration(engine::Recorder& rec, const Domain& d, const PressureSystem& p, Flow& flow, const Smoke& smoke,
                        const Settings& s) {
    const float g = glm::length(s.flow.gravity);
    const bool buoyant = g > 0.0f && (s.flow.buoyancy != 0.0f || s.flow.weight != 0.0f);
    if (s.flow.vorticity == 0.0f && !buoyant && !s.usesExpansion() && d.grid.pressureRatio == 1) return false;
    const ForcesPush push{buoyant ? s.flow.gravity / g : glm::vec3(0.0f), buoyant ? s.flow.buoyancy : 0.0f, buoyant ? s.flow.weight : 0.0f,
                          s.flow.vorticity, s.flow.ambient};
    const engine::Buffer &curl = flow.back, &acceleration = flow.acceleration();
    const auto cells = [&](std::uint32_t around) { return d.inRounds(d.storedCells(around, d.cubes()), kCellRounds); };
    if (s.flow.vorticity > 0.0f) rec.dispatch("vorticity_curl", cells(2), {{"centre", flow.centreVectors}, {"curl", curl}});
    rec.dispatch("forces", cells(1), {{"curl", curl}, {"scalars", smoke.scalars[0]}, {"acceleration", acceleration}}, push);
    rec.dispatch(
        "accelerate", d.inRounds(d.storedFaces(), kCellRounds),
        {{"acceleration", acceleration}, {"potential", p.potential}, {"velocityIn", flow.velocity}, {"velocityOut", flow.velocity}});
    return true;
}

}  // namespace

bool recordForces(engine::Recorder& rec, const Domain& d, const PressureSystem& p, Flow& flow, const Smoke& smoke, const Settings& s) {
    recordViscosity(rec, d, flow, s);
    const bool accelerates = recordAcceleration(rec, d, p, flow, smoke, s);
    recordWrapFaces(rec, d, flow.velocity);  // also on behalf of advection and emitters
    return accelerates;
}

}  // namespace wisp
