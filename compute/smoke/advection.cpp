// SPDX-License-Identifier: MIT
#include "compute/scene/inflow.h"
#include "compute/scene/outside_air.h"
#include "compute/scene/prescribed.h"
#include "compute/smoke/passes.h"
#include "compute/smoke/push.h"
#include "shaders/shared/correction.h"

#include <glm/vec4.hpp>

#include <algorithm>
#include <utility>

namespace wisp {
namespace {

const glm::vec4 kAll(1.0f);

/// What moves with the smoke: density and temperature, or density times colour; and what is left of it after a step.
struct Carried {
    std::array<engine::Image, 3>& field;
    glm::vec4 keep;
    gpu::InflowPush inflow;
};

std::vector<Carried> carried(Fields& f, const Settings& s, const Kept& kept, double time) {
    std::vector<Carried> all{{f.scalars, {kept.density, 1.0f, 1.0f, 1.0f}, inflowPush(s, time, {1.0f, 0.0f, 0.0f, 0.0f})}};
    if (f.hasColours()) all.push_back({f.colours, glm::vec4(kept.density), inflowPush(s, time, {1.0f, 1.0f, 1.0f, 0.0f})});
    return all;
}

void recordForwardVelocity(engine::Recorder& rec, Fields& f, const engine::Image& from, const engine::Image& to, const VelocityStep& step) {
    rec.dispatch("advect_velocity", f.faces(), {{"velocity", from}, {"back", f.back}, {"velocityOut", to}}, step);
    recordWrapFaces(rec, f, to);
}

// Into scratch[1]; where BFECC compensates, others read across the seam.
void recordCorrectedVelocity(engine::Recorder& rec, Fields& f, float keep, int correction) {
    rec.dispatch("advect_velocity_correct", f.faces(),
                 {{"velocity", f.velocity},
                  {"back", f.back},
                  {"ahead", f.ahead},
                  {"openness", few(f.openness)},
                  {"forward", f.scratch[0]},
                  {"velocityOut", f.scratch[1]}},
                 VelocityCorrection{keep, correction});
    if (correction == WISP_COMPENSATE) recordWrapFaces(rec, f, f.scratch[1]);
}

// Most of a box is empty most of the time.
void recordSmokeBricks(engine::Recorder& rec, Fields& f) {
    rec.dispatch("smoke_bricks", f.smokeBricks() * glm::uvec3(64, 1, 1),
                 {{"scalars", f.scalars[0]}, {"reach", f.reach}, {"bricks", f.bricks}});
}

void recordSmokeReach(engine::Recorder& rec, Fields& f, bool all) {
    rec.dispatch("smoke_reach", f.smokeBricks(), {{"bricks", f.bricks}, {"reached", f.reached}}, all ? 1 : 0);
}

void recordForwardScalars(engine::Recorder& rec, Fields& f, const Carried& c, std::size_t from, std::size_t to, glm::vec4 keep) {
    rec.dispatch("advect_scalars", f.scalarCells(),
                 {{"back", f.back},
                  {"openness", few(f.openness)},
                  {"opennessBefore", few(f.opennessAtStart())},
                  {"scalarsIn", c.field[from]},
                  {"scalarsOut", c.field[to]},
                  {"reached", f.reached}},
                 ScalarStep{keep, c.inflow});
}

void recordCorrectedScalars(engine::Recorder& rec, Fields& f, const Carried& c, glm::vec4 keep, int correction) {
    rec.dispatch("advect_scalars_correct", f.scalarCells(),
                 {{"back", f.back},
                  {"ahead", f.ahead},
                  {"openness", few(f.openness)},
                  {"scalarsIn", c.field[0]},
                  {"forward", c.field[1]},
                  {"scalarsOut", c.field[2]},
                  {"reached", f.reached}},
                 ScalarCorrection{keep, correction, c.inflow.value});
}

// The schemes: from f.velocity into f.scratch[1], from field[0] into field[2].
void recordVelocity(engine::Recorder& rec, Fields& f, AdvectionScheme scheme, float keep, const gpu::OutsideAir& air) {
    if (scheme == AdvectionScheme::SemiLagrangian) return recordForwardVelocity(rec, f, f.velocity, f.scratch[1], {keep, air});
    recordForwardVelocity(rec, f, f.velocity, f.scratch[0], {1.0f, air});
    if (scheme == AdvectionScheme::Bfecc) {
        recordCorrectedVelocity(rec, f, 1.0f, WISP_COMPENSATE);
        recordForwardVelocity(rec, f, f.scratch[1], f.scratch[0], {1.0f, air});
        recordCorrectedVelocity(rec, f, keep, WISP_LIMIT);
    } else {
        recordCorrectedVelocity(rec, f, keep, scheme == AdvectionScheme::MacCormackUnclamped ? WISP_UNCLAMPED : WISP_CLAMPED);
    }
}

// All fields by each pass, so that they move beside one another.
void recordScalars(engine::Recorder& rec, Fields& f, AdvectionScheme scheme, const std::vector<Carried>& scalars) {
    const auto forward = [&](std::size_t from, std::size_t to, bool last) {
        for (const Carried& c : scalars) recordForwardScalars(rec, f, c, from, to, last ? c.keep : kAll);
    };
    const auto correct = [&](int correction, bool last) {
        for (const Carried& c : scalars) recordCorrectedScalars(rec, f, c, last ? c.keep : kAll, correction);
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

void recordUpwind(engine::Recorder& rec, Fields& f, const Settings& s, const Kept& kept, double time) {
    const std::uint32_t steps = upwindSteps(s);
    const double dt = static_cast<double>(s.timeStep) / steps;
    for (std::uint32_t n = 0; n < steps; ++n) {
        for (const Carried& c : carried(f, s, kept, time + n * dt)) {
            rec.dispatch("upwind", f.scalarCells(), {{"scalarsIn", c.field[0]}, {"prescribed", f.prescribed}, {"scalarsOut", c.field[2]}},
                         UpwindStep{n + 1 == steps ? c.keep : kAll, static_cast<float>(dt), c.inflow});
            std::swap(c.field[0], c.field[2]);
        }
    }
}

}  // namespace

void recordAdvect(engine::Recorder& rec, Fields& f, const Settings& s, const Kept& kept, double time) {
    const AdvectionScheme scheme = s.advection.scheme;
    if (scheme == AdvectionScheme::Upwind) return recordUpwind(rec, f, s, kept, time);
    rec.dispatch(
        "trace", f.cells(),
        {{"centre", f.centre}, {"distanceBefore", f.distanceAtStart()}, {"backOut", f.back}, {"aheadOut", f.ahead}, {"reachOut", f.reach}});
    const bool comesIn = s.flow.inflowDensity > 0.0f && std::ranges::find(s.grid.sides, Side::Inflow) != s.grid.sides.end();
    const bool smoke = comesIn || !f.scalars[0].isZero() || (f.hasColours() && !f.colours[0].isZero());
    if (smoke) recordSmokeBricks(rec, f);
    const bool given = s.prescribed.field != PrescribedField::None;
    if (!given) recordVelocity(rec, f, scheme, kept.velocity, outsideAir(s, time));
    if (smoke) {
        // It may come to any brick if a correction without bounds leaves some there, or if it comes from outside.
        recordSmokeReach(rec, f, scheme == AdvectionScheme::MacCormackUnclamped || scheme == AdvectionScheme::Bfecc || comesIn);
        const std::vector<Carried> scalars = carried(f, s, kept, time);
        recordScalars(rec, f, scheme, scalars);
        for (const Carried& c : scalars) std::swap(c.field[0], c.field[2]);
    }
    if (given) return;
    std::swap(f.velocity, f.scratch[1]);
    f.stepped = true;
}

}  // namespace wisp
