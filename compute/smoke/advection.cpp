// SPDX-License-Identifier: MIT
#include "compute/scene/ambient_flow.h"
#include "compute/scene/inflow.h"
#include "compute/scene/prescribed.h"
#include "compute/smoke/push.h"
#include "compute/smoke/smoke_passes.h"
#include "shaders/shared/correction.h"

#include <glm/vec4.hpp>

#include <algorithm>
#include <utility>

namespace wisp {
namespace {

using engine::Traffic;

const glm::vec4 kNoDecay(1.0f);

/// A field that moves with the smoke: density and temperature, or density times colour. `keep`: its decay factors in a step.
struct AdvectedField {
    std::array<engine::Image, 3>& field;
    glm::vec4 keep;
    gpu::InflowPush inflow;
};

std::vector<AdvectedField> advectedFields(Smoke& smoke, const Settings& s, const DecayFactors& kept, double time) {
    std::vector<AdvectedField> all{{smoke.scalars, {kept.density, 1.0f, 1.0f, 1.0f}, inflowPush(s, time, {1.0f, 0.0f, 0.0f, 0.0f})}};
    if (smoke.hasColours()) all.push_back({smoke.colours, glm::vec4(kept.density), inflowPush(s, time, {1.0f, 1.0f, 1.0f, 0.0f})});
    return all;
}

void recordForwardVelocity(engine::Recorder& rec, const Domain& d, const Smoke& smoke, const engine::Image& from, const engine::Image& to,
                           const AdvectVelocityPush& step) {
    rec.dispatch("advect_velocity", d.faces(), {{"velocity", from}, {"back", smoke.back}, {"velocityOut", to}}, step);
    recordWrapFaces(rec, d, to);
}

// Writes flow.velocity. After the compensation of BFECC the next pass reads across periodic sides.
void recordCorrectedVelocity(engine::Recorder& rec, const Domain& d, Flow& flow, const Smoke& smoke, float keep, int correction) {
    rec.dispatch("advect_velocity_correct", d.faces(),
                 {{"velocity", flow.projected},
                  {"back", smoke.back},
                  {"ahead", smoke.ahead},
                  {"aperture", Traffic::none(d.aperture)},
                  {"forward", flow.scratch},
                  {"velocityOut", flow.velocity}},
                 CorrectVelocityPush{keep, correction});
    if (correction == WISP_COMPENSATE) recordWrapFaces(rec, d, flow.velocity);
}

// Bricks let advection skip the empty part of the box, which is usually most of it.
void recordSmokeBricks(engine::Recorder& rec, const Domain& d, Smoke& smoke) {
    rec.dispatch("smoke_bricks", d.smokeBricks() * glm::uvec3(64, 1, 1),
                 {{"scalars", smoke.scalars[0]}, {"reach", smoke.reach}, {"bricks", smoke.bricks}});
}

void recordSmokeReach(engine::Recorder& rec, const Domain& d, Smoke& smoke, bool all) {
    rec.dispatch("smoke_reach", d.smokeBricks(), {{"bricks", smoke.bricks}, {"reached", smoke.reached}}, all ? 1 : 0);
}

void recordForwardScalars(engine::Recorder& rec, const Domain& d, const Smoke& smoke, const AdvectedField& c, std::size_t from,
                          std::size_t to, glm::vec4 keep) {
    rec.dispatch("advect_scalars", d.scalarCells(),
                 {{"back", smoke.back},
                  {"aperture", Traffic::none(d.aperture)},
                  {"apertureBefore", Traffic::none(d.apertureAtStart())},
                  {"scalarsIn", c.field[from]},
                  {"scalarsOut", c.field[to]},
                  {"reached", smoke.reached}},
                 AdvectScalarsPush{keep, c.inflow});
}

void recordCorrectedScalars(engine::Recorder& rec, const Domain& d, const Smoke& smoke, const AdvectedField& c, glm::vec4 keep,
                            int correction) {
    rec.dispatch("advect_scalars_correct", d.scalarCells(),
                 {{"back", smoke.back},
                  {"ahead", smoke.ahead},
                  {"aperture", Traffic::none(d.aperture)},
                  {"scalarsIn", c.field[0]},
                  {"forward", c.field[1]},
                  {"scalarsOut", c.field[2]},
                  {"reached", smoke.reached}},
                 CorrectScalarsPush{keep, correction, c.inflow.value});
}

// The advection schemes. Velocity: from flow.projected into flow.velocity. Scalars: from field[0] into field[2].
void recordVelocity(engine::Recorder& rec, const Domain& d, Flow& flow, const Smoke& smoke, AdvectionScheme scheme, float keep,
                    const gpu::AmbientFlow& air) {
    if (scheme == AdvectionScheme::SemiLagrangian) return recordForwardVelocity(rec, d, smoke, flow.projected, flow.velocity, {keep, air});
    recordForwardVelocity(rec, d, smoke, flow.projected, flow.scratch, {1.0f, air});
    if (scheme == AdvectionScheme::Bfecc) {
        recordCorrectedVelocity(rec, d, flow, smoke, 1.0f, WISP_COMPENSATE);
        recordForwardVelocity(rec, d, smoke, flow.velocity, flow.scratch, {1.0f, air});
        recordCorrectedVelocity(rec, d, flow, smoke, keep, WISP_LIMIT);
    } else {
        recordCorrectedVelocity(rec, d, flow, smoke, keep, scheme == AdvectionScheme::MacCormackUnclamped ? WISP_UNCLAMPED : WISP_CLAMPED);
    }
}

// Each pass is recorded for all fields before the next pass, so that their dispatches can overlap.
void recordScalars(engine::Recorder& rec, const Domain& d, const Smoke& smoke, AdvectionScheme scheme,
                   const std::vector<AdvectedField>& scalars) {
    const auto forward = [&](std::size_t from, std::size_t to, bool last) {
        for (const AdvectedField& c : scalars) recordForwardScalars(rec, d, smoke, c, from, to, last ? c.keep : kNoDecay);
    };
    const auto correct = [&](int correction, bool last) {
        for (const AdvectedField& c : scalars) recordCorrectedScalars(rec, d, smoke, c, last ? c.keep : kNoDecay, correction);
    };
    if (scheme == AdvectionScheme::SemiLagrangian || scheme == AdvectionScheme::Cubic) return forward(0, 2, true);
    forward(0, 1, false);
    if (scheme == AdvectionScheme::Bfecc) {
        correct(WISP_COMPENSATE, false);
        forward(2, 1, false);
        correct(WISP_LIMIT, true);
    } else {
        correct(scheme == AdvectionScheme::MacCormackUnclamped ? WISP_UNCLAMPED : WISP_CLAMPED, true);
    }
}

void recordUpwind(engine::Recorder& rec, const Domain& d, Smoke& smoke, const Settings& s, const DecayFactors& kept, double time) {
    const std::uint32_t steps = upwindSteps(s);
    const double dt = static_cast<double>(s.timeStep) / steps;
    for (std::uint32_t n = 0; n < steps; ++n) {
        for (const AdvectedField& c : advectedFields(smoke, s, kept, time + n * dt)) {
            rec.dispatch("upwind", d.scalarCells(),
                         {{"scalarsIn", c.field[0]}, {"prescribed", smoke.prescribed->field}, {"scalarsOut", c.field[2]}},
                         UpwindPush{n + 1 == steps ? c.keep : kNoDecay, static_cast<float>(dt), c.inflow});
            std::swap(c.field[0], c.field[2]);
        }
    }
}

}  // namespace

void recordAdvect(engine::Recorder& rec, const Domain& d, Flow& flow, Smoke& smoke, const Settings& s, const DecayFactors& kept,
                  double time) {
    const AdvectionScheme scheme = s.advection.scheme;
    if (scheme == AdvectionScheme::Upwind) return recordUpwind(rec, d, smoke, s, kept, time);
    rec.dispatch("backtrace", d.cells(),
                 {{"centre", flow.centre},
                  {"distanceBefore", d.distanceAtStart()},
                  {"backOut", smoke.back},
                  {"aheadOut", smoke.ahead},
                  {"reachOut", smoke.reach}});
    const bool smokeEnters = s.flow.inflowDensity > 0.0f && std::ranges::find(s.grid.sides, Side::Inflow) != s.grid.sides.end();
    const bool hasSmoke = smokeEnters || !smoke.scalars[0].isZero() || (smoke.hasColours() && !smoke.colours[0].isZero());
    if (hasSmoke) recordSmokeBricks(rec, d, smoke);
    if (!smoke.prescribed) recordVelocity(rec, d, flow, smoke, scheme, kept.velocity, ambientFlow(s, time));
    if (hasSmoke) {
        // Smoke may reach any brick if a correction without bounds leaves some there, or if it enters from outside.
        recordSmokeReach(rec, d, smoke, scheme == AdvectionScheme::MacCormackUnclamped || scheme == AdvectionScheme::Bfecc || smokeEnters);
        const std::vector<AdvectedField> scalars = advectedFields(smoke, s, kept, time);
        recordScalars(rec, d, smoke, scheme, scalars);
        for (const AdvectedField& c : scalars) std::swap(c.field[0], c.field[2]);
    }
}

}  // namespace wisp
