// SPDX-License-Identifier: MIT
#include "compute/pressure/pressure.h"
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
constexpr std::uint32_t kCellsBeside = 1;  // whose paths faces and finer scalar cells need

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

// A grid on which velocity moves: the fine grid, or the coarse grid of a sparse simulation.
struct VelocityGrid {
    engine::Threads faces;
    const engine::Buffer& step;  // gpu::StepData
    Flow& flow;
    gpu::AmbientFlow air;
};

void recordForwardVelocity(engine::Recorder& rec, const Domain& d, const VelocityGrid& grid, const engine::Image& from,
                           const engine::Image& to, float keep) {
    rec.dispatch("advect_velocity", d.inRounds(grid.faces, kCellRounds),
                 {{"stepData", grid.step}, {"velocity", from}, {"back", grid.flow.back}, {"velocityOut", to}},
                 AdvectVelocityPush{keep, grid.air});
    recordWrapFaces(rec, d, to);
}

// Writes flow.velocity. After the compensation of BFECC the next pass reads across periodic sides.
void recordCorrectedVelocity(engine::Recorder& rec, const Domain& d, const VelocityGrid& grid, float keep, int correction) {
    const Flow& flow = grid.flow;
    rec.dispatch("advect_velocity_correct", grid.faces,
                 {{"stepData", grid.step},
                  {"velocity", flow.projected},
                  {"back", flow.back},
                  {"ahead", flow.ahead},
                  {"aperture", Traffic::none(d.aperture)},
                  {"forward", flow.scratch},
                  {"velocityOut", flow.velocity}},
                 CorrectVelocityPush{keep, correction});
    if (correction == WISP_COMPENSATE) recordWrapFaces(rec, d, flow.velocity);
}

// Bricks let advection skip the empty part of the box, which is usually most of it.
void recordSmokeBricks(engine::Recorder& rec, const Domain& d, const Flow& flow, Smoke& smoke) {
    rec.dispatch("smoke_bricks", d.smokeBricks() * glm::uvec3(64, 1, 1),
                 {{"scalars", smoke.scalars[0]}, {"reach", flow.reach}, {"bricks", smoke.bricks}});
}

void recordSmokeReach(engine::Recorder& rec, const Domain& d, const Flow& flow, Smoke& smoke, bool all) {
    rec.dispatch("smoke_reach", d.storedSmokeBricks(),
                 {{"bricks", smoke.bricks}, {"reach", Traffic::none(flow.reach)}, {"reached", smoke.reached}}, all ? 1 : 0);
}

void recordForwardScalars(engine::Recorder& rec, const Domain& d, const Flow& flow, const Smoke& smoke, const AdvectedField& c,
                          std::size_t from, std::size_t to, glm::vec4 keep) {
    rec.dispatch("advect_scalars", d.reachableScalarCells(),
                 {{"back", flow.back},
                  {"aperture", Traffic::none(d.aperture)},
                  {"apertureBefore", Traffic::none(d.apertureAtStart())},
                  {"scalarsIn", c.field[from]},
                  {"scalarsOut", c.field[to]},
                  {"reached", smoke.reached}},
                 AdvectScalarsPush{keep, c.inflow});
}

void recordCorrectedScalars(engine::Recorder& rec, const Domain& d, const Flow& flow, const Smoke& smoke, const AdvectedField& c,
                            glm::vec4 keep, int correction) {
    rec.dispatch("advect_scalars_correct", d.reachableScalarCells(),
                 {{"back", flow.back},
                  {"ahead", flow.ahead},
                  {"aperture", Traffic::none(d.aperture)},
                  {"scalarsIn", c.field[0]},
                  {"forward", c.field[1]},
                  {"scalarsOut", c.field[2]},
                  {"reached", smoke.reached}},
                 CorrectScalarsPush{keep, correction, c.inflow.value});
}

// The advection schemes. Velocity: from flow.projected into flow.velocity. Scalars: from field[0] into field[2].
void recordVelocity(engine::Recorder& rec, const Domain& d, const VelocityGrid& grid, AdvectionScheme scheme, float keep) {
    const Flow& flow = grid.flow;
    if (scheme == AdvectionScheme::SemiLagrangian) return recordForwardVelocity(rec, d, grid, flow.projected, flow.velocity, keep);
    recordForwardVelocity(rec, d, grid, flow.projected, flow.scratch, 1.0f);
    if (scheme == AdvectionScheme::Bfecc) {
        recordCorrectedVelocity(rec, d, grid, 1.0f, WISP_COMPENSATE);
        recordForwardVelocity(rec, d, grid, flow.velocity, flow.scratch, 1.0f);
        recordCorrectedVelocity(rec, d, grid, keep, WISP_LIMIT);
    } else {
        recordCorrectedVelocity(rec, d, grid, keep, scheme == AdvectionScheme::MacCormackUnclamped ? WISP_UNCLAMPED : WISP_CLAMPED);
    }
}

// MacCormack on both grids of a sparse simulation. Between its two passes, the coarse faces of active bricks take the means of the fine
// faces, and the halo takes the upsampled coarse result.
void recordSparseVelocity(engine::Recorder& rec, const Domain& d, PressureSystem& p, const VelocityGrid& fine, const VelocityGrid& coarse,
                          float keep) {
    for (const VelocityGrid* grid : {&coarse, &fine}) recordForwardVelocity(rec, d, *grid, grid->flow.projected, grid->flow.scratch, 1.0f);
    recordRestrictFaces(rec, d, p, fine.flow.scratch, coarse.flow.scratch, Restricted::Border);
    recordFill(rec, d, p, fine.flow, coarse.flow.scratch, fine.flow.scratch, false);
    recordFaceMargins(rec, d, fine.flow.scratch);
    for (const VelocityGrid* grid : {&coarse, &fine}) recordCorrectedVelocity(rec, d, *grid, keep, WISP_CLAMPED);
    recordRestrictFaces(rec, d, p, fine.flow.velocity, coarse.flow.velocity, Restricted::All);
}

// Paths of the fluid at the cells of a grid in a step.
void recordBacktrace(engine::Recorder& rec, const Domain& d, const engine::Threads& cells, const engine::Buffer& step, const Flow& flow) {
    rec.dispatch("backtrace", cells,
                 {{"stepData", step},
                  {"centre", flow.centre},
                  {"distanceBefore", d.distanceAtStart()},
                  {"backOut", flow.back},
                  {"aheadOut", flow.ahead},
                  {"reachOut", flow.reach}});
}

// Each pass is recorded for all fields before the next pass, so that their dispatches can overlap.
void recordScalars(engine::Recorder& rec, const Domain& d, const Flow& flow, const Smoke& smoke, AdvectionScheme scheme,
                   const std::vector<AdvectedField>& scalars) {
    const auto forward = [&](std::size_t from, std::size_t to, bool last) {
        for (const AdvectedField& c : scalars) recordForwardScalars(rec, d, flow, smoke, c, from, to, last ? c.keep : kNoDecay);
        for (const AdvectedField& c : scalars)
            if (!last) recordSmokeMargins(rec, d, c.field[to]);
    };
    const auto correct = [&](int correction, bool last) {
        for (const AdvectedField& c : scalars) recordCorrectedScalars(rec, d, flow, smoke, c, last ? c.keep : kNoDecay, correction);
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

void recordAdvect(engine::Recorder& rec, const Domain& d, Flow& flow, PressureSystem& p, Smoke& smoke, const Settings& s,
                  const DecayFactors& kept, double time) {
    const AdvectionScheme scheme = s.advection.scheme;
    if (scheme == AdvectionScheme::Upwind) return recordUpwind(rec, d, smoke, s, kept, time);
    recordBacktrace(rec, d, d.inRounds(d.storedCells(kCellsBeside), kCellRounds), d.step, flow);
    const bool smokeEnters = s.flow.inflowDensity > 0.0f && std::ranges::find(s.grid.sides, Side::Inflow) != s.grid.sides.end();
    const bool hasSmoke = smokeEnters || !smoke.scalars[0].isZero() || (smoke.hasColours() && !smoke.colours[0].isZero());
    if (hasSmoke && !d.bricks) recordSmokeBricks(rec, d, flow, smoke);
    const VelocityGrid fine{d.storedFaces(), d.step, flow, ambientFlow(s, time)};
    if (flow.coarse) {
        CoarseFlow& c = *flow.coarse;
        const engine::ShaderConstants dense{{"kSparse", 0}};  // the coarse grid is stored everywhere
        recordBacktrace(rec, d, {d.pressureCells(), dense}, c.step, c.flow);
        gpu::AmbientFlow air = fine.air;
        air.perCell *= static_cast<float>(d.grid.pressureRatio);
        recordSparseVelocity(rec, d, p, fine, {{d.pressureFaces(), dense}, c.step, c.flow, air}, kept.velocity);
    } else if (!smoke.prescribed) {
        recordVelocity(rec, d, fine, scheme, kept.velocity);
    }
    if (hasSmoke) {
        // Smoke may reach any brick if a correction without bounds leaves some there, or if it enters from outside.
        recordSmokeReach(rec, d, flow, smoke,
                         scheme == AdvectionScheme::MacCormackUnclamped || scheme == AdvectionScheme::Bfecc || smokeEnters);
        const std::vector<AdvectedField> scalars = advectedFields(smoke, s, kept, time);
        recordScalars(rec, d, flow, smoke, scheme, scalars);
        for (const AdvectedField& c : scalars) std::swap(c.field[0], c.field[2]);
    }
}

}  // namespace wisp
